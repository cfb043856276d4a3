@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

/// Every order in which the calls of two or three operations can reach the store, and random orders of more.
final class InterleavingTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    private let isLong = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == "1"

    /// Two operations in every order; of three, which have hundreds, the first orders and as many random ones.
    private func runAll(_ programs: [RaceProgram]) async throws {
        let (most, random) = isLong ? (100_000, 10_000 as UInt64) : (120, 80)
        let orders = try await parallelMap(programs) { program in
            let (orders, areAll) = try await program.runAllOrders(atMost: most)
            if !areAll {
                for seed in 0..<random { try await program.run(Schedule(seed: seed)) }
            }
            return orders
        }
        for (program, orders) in zip(programs, orders) { XCTAssertGreaterThan(orders, 1, program.name) }
    }

    func testRacesForAccountsEndAlikeInEveryOrder() async throws { try await runAll(RaceProgram.accounts) }

    func testRacesOfSessionsAndCodesEndAlikeInEveryOrder() async throws { try await runAll(RaceProgram.sessions) }

    func testEveryOrderIsTriedOnce() async throws {
        let program = RaceProgram("two sign in anonymously", .firebase) { stage in
            ((0..<2).map { _ in { try await stage.service.client().signInAnonymously() } }, { _ in })
        }
        var orders: Set<[Int]> = []
        var path: [Int]? = []
        while let next = path {
            let schedule = Schedule(path: next)
            try await program.run(schedule)
            XCTAssertTrue(orders.insert(schedule.turns.map(\.choice)).inserted)
            path = Schedule.path(after: schedule.turns)
        }
        // Two calls each: four turns, of which any two are the first one's.
        XCTAssertEqual(orders.count, 6)
    }

    /// Ten people at three accounts do what they like, in an order that a seed decides.
    func testManyOperationsInRandomOrdersKeepTheInvariants() async throws {
        // Under the stricter policy, an identity whose address another account has verified is never linked.
        let courses: [(policy: AuthPolicy, refused: [Int])] = [(.firebase, []), (.standard, [3])]
        for (policy, refused) in courses {
            let done = Mutex(Array(repeating: 0, count: 14))
            for seed in 0..<(isLong ? 5000 : 60) as Range<UInt64> {
                let program = RaceProgram("ten at once, seed \(seed)", policy) { stage in
                    let ann = try await stage.signUpVerified("ann@gmail.com")
                    let ben = try await stage.signUp("ben@example.com", at: "desk")
                    let google = stage.credential(.google, .ann.with(email: "ann@gmail.com"))
                    let gitHub = stage.credential(.gitHub, .eve)
                    try await ann.link(with: stage.credential(.facebook))
                    try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
                    let change = stage.code(to: "new@example.com", .changeEmail)
                    try await stage.service.client().sendPasswordReset(to: "ann@gmail.com")
                    let reset = stage.code(to: "ann@gmail.com", .resetPassword)
                    let password = stage.password(of: "ann@gmail.com")
                    let acts: [RaceProgram.Act] = [
                        { try await stage.service.client().signIn(with: google) }, { try await ann.link(with: gitHub) },
                        { try await ben.link(with: gitHub) }, { try await ben.link(with: google) },
                        { _ = try await ann.unlink(.password) }, { _ = try await ann.unlink(.facebook) },
                        { try await stage.service.client().applyActionCode(change) },
                        {
                            try await stage.service.client().confirmPasswordReset(
                                code: reset,
                                newPassword: "battery staple"
                            )
                        },
                        { try await stage.service.client().signIn(with: password) },
                        { try await ann.updatePassword(to: "purple monkey") },
                        { try await ann.delete() }, { try await ben.updateEmail(to: "new@example.com") },
                        { _ = try await stage.service.setDisabled(true, account: ben.account.id) },
                        { try await ann.revokeOtherSessions() },
                    ]
                    var generator = SplitMix(state: seed)
                    var counted: [RaceProgram.Act] = []
                    for number in acts.indices {
                        let act = acts[number]
                        counted.append {
                            try await act()
                            done.withLock { $0[number] += 1 }
                        }
                    }
                    return (Array(counted.shuffled(using: &generator).prefix(10)), { _ in })
                }
                try await program.run(Schedule(seed: seed))
            }
            let counts = done.withLock(\.self)
            let never = counts.indices.filter { counts[$0] == 0 }
            XCTAssertEqual(never, refused, "acts that never go through in any order: \(counts)")
        }
    }
}
