@testable import AuthCore
import AuthCoreTesting
import XCTest

extension AuthPolicy {
    /// The standard policy where the domains are pinned that the employers of the tests host at Google.
    static let pinned = AuthPolicy.standard.pinningEmployers

    /// The same policy, with those domains pinned unless it has authorities of its own.
    var pinningEmployers: AuthPolicy {
        guard addressTrust == .authorities(.wellKnown) else { return self }
        var policy = self
        policy.addressTrust = .authorities(
            .wellKnown.pinning(["example.com", "example.org"], of: "https://accounts.google.com")
        )
        return policy
    }

    /// The standard policy with something turned back, against which an attack is played so that its test is known to
    /// bite.
    static func weakened(_ weaken: (inout AuthPolicy) -> Void) -> AuthPolicy {
        var policy = AuthPolicy.pinned
        weaken(&policy)
        return policy
    }
}

/// A victim called Ann and an attacker called Eve.
extension World {
    var evesNumber: String { "+15550006666" }
    var evesPassword: String { "eves own word" }

    /// Ann's address with Eve's password, which is as far as Eve gets without the mailbox.
    @discardableResult
    func squat(_ email: String = "ann@example.com") async throws -> User {
        try await device("eve").signUp(email: email, password: evesPassword).user
    }

    /// Eve's Google identity with an address of her own, which Google verifies.
    var eveAtGoogle: AuthCredential { google(.eve, SimulatedToken(email: .text("eve@gmail.com"))) }

    /// An account to which Eve, with a stolen session of Ann's, linked an identity with an address of her own.
    func annWithAPlantedIdentity() async throws -> User {
        let ann = try await signUpVerifiedAnn()
        clock.advance(by: .seconds(30 * 86_400))
        let stolen = try await device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: eveAtGoogle)
        return ann
    }

    /// Ann with Facebook and Google, whose own address was never verified, and a session by Google that a thief has a
    /// month later.
    func stolenGoogleSession() async throws -> (ann: User, stolen: User) {
        let ann = try await device("phone").signIn(with: facebook(.ann)).user
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        try await ann.link(with: google(gmail))
        clock.advance(by: .seconds(30 * 86_400))
        return (ann, try await device("stolen").signIn(with: google(gmail)).user)
    }

    /// Changes the address of the account that is signed in to by a link to the new one.
    func changeAddress(_ client: Auth, to email: String) async throws {
        try await XCTUnwrap(client.currentUser).sendEmailVerification(beforeUpdatingTo: email)
        try await client.applyActionCode(newestCode(to: email))
    }

    /// Sets a new password by a code from the mailbox.
    func reset(_ email: String = "ann@example.com", to password: String = "anns own word") async throws {
        try await device("mail").sendPasswordReset(to: email)
        try await device("mail").confirmPasswordReset(code: try code(.resetPassword, to: email), newPassword: password)
    }

    /// The code of the newest message of this kind.
    func code(_ kind: Message.Kind, to email: String) throws -> String {
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
