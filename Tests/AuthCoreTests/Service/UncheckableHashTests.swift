@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A stored hash that cannot be compared is a wrong password for the caller, and only operators learn why.
final class UncheckableHashTests: LimitedTestCase {
    /// Fails as a test says for every stored hash.
    private final class FailingHasher: PasswordHasher {
        private let cheap = CheapPasswordHasher()
        private let state = Mutex<PasswordHash.HashingError?>(nil)
        /// How often a password was compared with the hash of no one.
        let placeholders = Mutex(0)

        var failure: PasswordHash.HashingError? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        var placeholder: PasswordHash { cheap.placeholder }

        func hash(_ password: Secret) async throws -> PasswordHash {
            if let failure { throw failure }
            return try await cheap.hash(password)
        }

        func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
            if let failure, hash != placeholder { throw failure }
            if hash == placeholder { placeholders.withLock { $0 += 1 } }
            return try await cheap.check(password, against: hash)
        }

        func canCheck(_ hash: PasswordHash) -> Bool { cheap.canCheck(hash) }
    }

    private let hasher = FailingHasher()

    func testAHashThatIsAtFaultIsRefusedLikeAWrongPasswordAndReported() async throws {
        let world = World(.standard) { [hasher] in $0.passwordHasher = hasher }
        let ann = try await world.signUpVerifiedAnn()
        let device = world.device()
        let failures = [PasswordHash.HashingError.malformedHash, .unknownScheme, .excessiveCost]
        for (number, failure) in failures.enumerated() {
            hasher.failure = failure
            hasher.placeholders.withLock { $0 = 0 }
            await assertThrows(.invalidCredential, failure.description) {
                try await device.signIn(with: World.annsPassword)
            }
            let work = hasher.placeholders.withLock { $0 }
            XCTAssertEqual(work, 1, "a refusal takes as long as that of an unknown address: \(failure)")
            let entry = try XCTUnwrap(world.service.refusals().first { $0.reason == .passwordCannotBeChecked })
            XCTAssertEqual(entry.operation.rawValue, "verify", failure.description)
            XCTAssertEqual(entry.code, .invalidCredential, failure.description)
            XCTAssertEqual(entry.account, ann.account.id, failure.description)
            let reports = world.service.refusals().count { $0.reason == .passwordCannotBeChecked }
            XCTAssertEqual(reports, number + 1, "reports after \(failure)")
            hasher.failure = nil
            try await device.signIn(with: World.annsPassword)
            world.clock.advance(by: .seconds(1))
        }
    }

    /// An attempt that stayed in flight would let the next ones wait for it.
    func testAFailureOfTheHasherCountsAsAnAttemptThatIsOver() async throws {
        let pauses = Mutex(0)
        let world = World(.standard) { [hasher] in
            $0.passwordHasher = hasher
            $0.environment = AuthEnvironment(
                clock: { Date(timeIntervalSince1970: 1_700_000_000) },
                randomness: SeededGenerator(seed: 1),
                sleep: { _ in pauses.withLock { $0 += 1 } }
            )
        }
        try await world.signUpVerifiedAnn()
        hasher.failure = .failed
        for _ in 0..<5 {
            await assertThrows(.internalError) { try await world.device("b").signIn(with: World.annsPassword) }
        }
        await assertThrows(.tooManyRequests, "a sixth attempt") {
            try await world.device("b").signIn(with: World.annsPassword)
        }
        XCTAssertEqual(pauses.withLock { $0 }, 0, "pauses of attempts that wait for others")
    }

    func testAHasherThatIsBusyOrBrokenSaysNothingOfTheHash() async throws {
        let world = World(.standard) { [hasher] in $0.passwordHasher = hasher }
        let ann = try await world.signUpVerifiedAnn()
        for (failure, code) in [
            (PasswordHash.HashingError.overloaded, AuthErrorCode.overloaded), (.failed, .internalError),
        ] {
            hasher.failure = failure
            await assertThrows(code, "a new password: \(failure.description)") {
                try await ann.updatePassword(to: "battery staple")
            }
            await assertThrows(code, failure.description) {
                try await world.device().signIn(with: World.annsPassword)
            }
        }
        XCTAssertEqual(world.service.refusals(), [], "a failure is no refusal, and says nothing of a hash")
    }
}
