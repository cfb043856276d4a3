import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// A new password by mail, beside a change that another server makes while the password is hashed.
final class ResetRaceTests: LimitedTestCase {
    /// Hashes passwords, and lets something happen before the next one is hashed.
    private final class InterruptedHasher: PasswordHasher {
        private let inner = CheapPasswordHasher()
        private let interruption = Mutex<(@Sendable () async throws -> Void)?>(nil)

        var placeholder: PasswordHash { inner.placeholder }

        func interrupt(by act: @escaping @Sendable () async throws -> Void) { interruption.withLock { $0 = act } }

        func hash(_ password: Secret) async throws -> PasswordHash {
            let act = interruption.withLock { act in
                defer { act = nil }
                return act
            }
            try await act?()
            return try await inner.hash(password)
        }

        func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
            try await inner.check(password, against: hash)
        }
    }

    /// The preview decides as if the former address were free, which the server whose clock is behind has not written.
    func testAResetKeepsWhatWasWrittenBesideItWhereAFormerAddressHasBecomeFree() async throws {
        let hasher = InterruptedHasher()
        let world = World(.standard) { $0.passwordHasher = hasher }
        let ann = try await world.signUpVerifiedAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device("mail").applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
        let moved = try await world.account(ann)
        let end = try XCTUnwrap(moved.reservations.first?.until, "the former address is reserved")
        world.clock.advance(by: end - world.clock.timestamp - .seconds(600))
        try await world.stranger().sendPasswordReset(to: "new@example.com")
        let code = try world.code(.resetPassword, to: "new@example.com")
        world.clock.advance(by: .seconds(601))
        let (store, time) = (world.store, world.clock.timestamp)
        hasher.interrupt {
            let loaded = try await store.load([.account(moved.id)])
            var account = try XCTUnwrap(loaded[moved.id])
            var changes = ChangeSet(operation: OperationID(bits: 7), at: time)
            account.isDisabled = true
            account.version += 1
            changes.accounts = [.update(account, expected: account.version - 1)]
            let outcome = try await store.commit(changes)
            XCTAssertEqual(outcome, .committed, "the other server's change")
        }
        _ = try? await world.stranger().confirmPasswordReset(code: code, newPassword: "new horse")
        let after = try await world.account(ann)
        XCTAssertTrue(after.isDisabled, "what the other server wrote is overwritten by what was read before")
    }
}
