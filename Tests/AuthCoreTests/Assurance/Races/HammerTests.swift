@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Hundreds of tasks that really run at once, on as many threads as there are; worth most under the thread sanitizer.
final class HammerTests: LimitedTestCase {
    private static let tasks = 300

    private func hammer(_ policy: AuthPolicy) async throws {
        let world = World(policy)
        let service = world.service
        let ann = try await world.verifiedUser("ann@gmail.com", in: world.device())
        try await ann.link(with: world.credential(.facebook))
        let shared = try await world.device("desk").signInAnonymously().user
        let device = world.device("shared")
        let google = world.credential(.google, .ann.with(email: "ann@gmail.com"))
        let gitHub = world.credential(.gitHub, .eve)
        let password = AuthCredential.password(email: "ann@gmail.com", password: "correct horse")
        let listener = Task { for await _ in device.changes() where Task.isCancelled { break } }
        @Sendable func act(_ number: Int) async throws {
            switch number % 12 {
            case 0: try await service.client().signIn(with: google)
            case 1: try await service.client().signIn(with: password)
            case 2: try await ann.link(with: gitHub)
            case 3: try await ann.unlink(.gitHub)
            case 4: try await shared.link(with: gitHub)
            case 5: try await shared.updateProfile(displayName: .set("\(number)"))
            case 6: try await service.client().signUp(email: "p\(number / 24)@example.com", password: "correct horse")
            case 7: try await device.signInAnonymously()
            case 8: _ = try await shared.issueTokens()
            case 9: _ = try await service.events(limit: 50)
            case 10: try await ann.sendEmailVerification()
            default:
                try await ann.reload()
                try await service.sweep()
            }
        }
        let done = await withTaskGroup(of: (kind: Int, isDone: Bool).self) { group in
            for number in 0..<Self.tasks {
                group.addTask { (number % 12, await outcome { try await act(number) } == nil) }
            }
            return await group.reduce(into: Array(repeating: 0, count: 12)) { $0[$1.kind] += $1.isDone ? 1 : 0 }
        }
        listener.cancel()
        // Of the two who link one identity, either may be the first; whether it is unlinked depends on that.
        for kind in [0, 1, 5, 6, 7, 8, 9, 10, 11] {
            XCTAssertGreaterThan(done[kind], 0, "acts of kind \(kind) that went through: \(done)")
        }
        XCTAssertGreaterThan(done[2] + done[4], 0, "links of the one identity: \(done)")
        try? await device.signOut()
        let violations = try await Invariants(store: world.store, policy: policy).violations()
        XCTAssertEqual(violations, [])
        let accounts = try await service.accounts(limit: .max)
        let gitHubs = accounts.count { $0.providerData.contains { $0.provider == .gitHub } }
        XCTAssertLessThanOrEqual(gitHubs, 1, "accounts that have the one identity")
        let addresses = accounts.compactMap { $0.reservesEmail ? $0.email : nil }
        XCTAssertEqual(Set(addresses).count, addresses.count)
    }

    func testHundredsOfTasksAtOnceKeepTheInvariants() async throws {
        for _ in 0..<3 {
            try await hammer(.firebase)
            try await hammer(.standard)
        }
    }
}
