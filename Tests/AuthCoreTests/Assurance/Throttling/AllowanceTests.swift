@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// How much of each thing is allowed under the standard policy, as the attempt store is told.
final class AllowanceTests: LimitedTestCase {
    /// An attempt store that remembers what was counted.
    private final class Ledger: AttemptStore {
        private let inner = InMemoryAttemptStore()
        private let state = Mutex<Set<Store.Take>>([])

        var takes: Set<Store.Take> { state.withLock { $0 } }

        func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
            state.withLock { $0.formUnion(takes) }
            return try await inner.take(takes, at: now)
        }

        func keep(_ takes: [Store.Take], at now: Timestamp) async throws { try await inner.keep(takes, at: now) }

        func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
            try await inner.refund(takes, clearing: keys, at: now)
        }
    }

    private typealias Purpose = Store.AttemptKey.Purpose

    private static func waits(_ free: Int, atMost longest: Duration = .seconds(900)) -> Store.Allowance {
        .waits(free: free, first: .seconds(1), longest: longest, halving: .seconds(3600))
    }

    private static let expected: [Purpose: Set<Store.Allowance>] = [
        .password: [waits(5)],
        .passwordOnDevice: [waits(10)],
        .guessesOfOrigin: [waits(50, atMost: .seconds(60))],
        // As long as the record that is answered lives.
        .code: [.number(5, each: .seconds(600))],
        .number: [.consecutive(100, then: .seconds(86_400))],
        .factorOnDevice: [waits(20)],
        .factorDaily: [.number(10, each: .seconds(86_400))],
        .factor: [.consecutive(100, then: nil)],
        .mail: [.number(5, each: .seconds(3600))],
        .mailOnDevice: [.number(5, each: .seconds(3600))],
        .mailOfOrigin: [.number(100, each: .seconds(3600))],
        .text: [.number(5, each: .seconds(3600))],
        .textOnDevice: [.number(5, each: .seconds(3600)), .number(20, each: .seconds(3600))],
        .factorText: [.number(10, each: .seconds(3600))],
        .textOfOrigin: [.number(20, each: .seconds(3600))],
        .accountOfOrigin: [.number(100, each: .seconds(86_400))],
        .visitOfOrigin: [.number(1000, each: .seconds(600))],
        // Of a session, and of all sessions of an account.
        .visitOfAccount: [.number(50, each: .seconds(600)), .number(250, each: .seconds(600))],
        // Of a session, and of all sessions of an account.
        .newPassword: [.number(20, each: .seconds(3600)), .number(100, each: .seconds(3600))],
    ]

    /// What is compared is in flight until its result is known; the others count at once.
    private static let guesses: Set<Purpose> = [
        .password, .passwordOnDevice, .guessesOfOrigin, .code, .number, .factorOnDevice, .factorDaily, .factor,
    ]

    func testEachThingIsAllowedAsOftenAndInTheTimeThatThePolicySays() async throws {
        let ledger = Ledger()
        let world = World(.standard) { $0.attempts = ledger }
        try await live(in: world)
        let takes = Dictionary(grouping: ledger.takes, by: \.key.purpose)
        for purpose in Purpose.allCases {
            let allowances = Set((takes[purpose] ?? []).map(\.allowance))
            XCTAssertEqual(allowances, Self.expected[purpose], "what is allowed of \(purpose)")
            let settled = Set((takes[purpose] ?? []).map(\.isSettled))
            XCTAssertEqual(settled, [!Self.guesses.contains(purpose)], "whether \(purpose) counts at once")
        }
    }

    func testWithoutAnOriginEachNumberOfAnOriginIsAHundredTimesAsLarge() async throws {
        let ledger = Ledger()
        let world = World(.standard) { $0.attempts = ledger }
        let client = world.service.client(for: nil, origin: .unknown)
        try await client.signUp(email: "eve@example.com", password: World.password)
        try await client.sendSignInLink(to: "eve@example.com")
        _ = try await client.sendPhoneCode(to: world.evesNumber)
        _ = try await client.nonce(for: .signIn)
        await assertThrows(.invalidCredential) { try await client.signIn(with: world.guess(1)) }
        let takes = Dictionary(grouping: ledger.takes, by: \.key.purpose).mapValues { Set($0.map(\.allowance)) }
        XCTAssertEqual(takes[.accountOfOrigin], [.number(10_000, each: .seconds(86_400))], "new accounts")
        XCTAssertEqual(takes[.mailOfOrigin], [.number(10_000, each: .seconds(3600))], "mails")
        XCTAssertEqual(takes[.textOfOrigin], [.number(2000, each: .seconds(3600))], "texts")
        XCTAssertEqual(takes[.visitOfOrigin], [.number(100_000, each: .seconds(600))], "visits")
        XCTAssertEqual(takes[.guessesOfOrigin], [Self.waits(5000, atMost: .seconds(60))], "guesses")
    }

    /// Everything that is counted happens at least once.
    private func live(in world: World) async throws {
        let stranger = world.stranger()
        try await stranger.signUp(email: "eve@example.com", password: world.evesPassword)
        try await stranger.sendSignInLink(to: "eve@example.com")
        _ = try await stranger.nonce(for: .signIn)
        await assertThrows(.invalidCredential) { try await stranger.signIn(with: world.guess(1)) }
        let id = try await stranger.sendPhoneCode(to: world.evesNumber)
        let digits = try world.newestCode(to: world.evesNumber)
        try await stranger.signIn(with: .phone(verificationID: id, code: digits))

        let ann = try await world.signUpVerifiedAnn()
        _ = try await ann.nonce(for: .link)
        try await ann.link(with: world.digits(to: "+15550005678"))
        try await ann.updatePassword(to: World.password)
        let known = try await world.annsDevice()
        await assertThrows(.invalidCredential) { try await known.signIn(with: world.guess(2)) }
        try await known.sendSignInLink(to: "ann@example.com")
        _ = try await known.sendPhoneCode(to: "+15550005678")

        let enrollment = try await world.enrollTOTP(ann)
        try await world.enrollPhone(ann)
        // A device that the account knew before it had a factor is known to that once it was presented there.
        let first = try await world.challenge { try await known.signIn(with: World.annsPassword) }
        let there = try await known.resolve(first, with: .totp(world.totp(enrollment, steps: 1))).device
        let trusted = world.service.client(for: there, origin: .address("192.0.2.77"))
        let wrong = try world.wrongTOTP(enrollment)
        for client in [stranger, trusted] {
            let challenge = try await world.challenge { try await client.signIn(with: World.annsPassword) }
            await assertThrows(.invalidVerificationCode) {
                try await client.resolve(challenge, with: .totp(wrong))
            }
            let hint = try XCTUnwrap(challenge.hints.first { $0.kind == .phone })
            _ = try await client.sendPhoneCode(for: challenge, factor: hint.id)
        }
    }
}
