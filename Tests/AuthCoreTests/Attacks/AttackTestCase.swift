@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What the suite of attacks shares: the standard policy, a victim called Ann and an attacker called Eve.
///
/// An attack that some policy lets through is played against that policy too, so that the test is known to bite.
class AttackTestCase: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    let evesNumber = "+15550006666"
    let evesPassword = "eves own word"

    /// The standard policy with something turned back.
    static func weakened(_ weaken: (inout AuthPolicy) -> Void) -> AuthPolicy {
        var policy = AuthPolicy.standard
        weaken(&policy)
        return policy
    }

    /// Ann's address with Eve's password, which is as far as Eve gets without the mailbox.
    @discardableResult
    func squat(_ email: String = "ann@example.com") async throws -> User {
        try await seat("eve").signUp(email: email, password: evesPassword).user
    }

    /// Sets a new password by a code from the mailbox.
    func reset(_ email: String = "ann@example.com", to password: String = "anns own word") async throws {
        try await seat("mail").sendPasswordReset(to: email)
        try await seat("mail").confirmPasswordReset(code: try code(.resetPassword, to: email), newPassword: password)
    }

    /// The code of the newest message of this kind.
    func code(_ kind: MessageKind, to email: String) throws -> String {
        try XCTUnwrap(outbox.last(to: email, kind)?.code, "\(kind) to \(email)")
    }

    /// Whether it goes through.
    func succeeds(_ act: () async throws -> some Any) async -> Bool {
        do {
            _ = try await act()
            return true
        } catch {
            return false
        }
    }
}
