@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S2 and S4: which addresses an identity verifies when it is shown again.
final class ConfirmedIdentityAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let day = 86_400.0

    func testS4_AReauthenticationTakesOverThatTheProviderChangedTheAddress() async throws {
        let phone = world.device()
        let google = world.google(.ann.with(email: "ann@gmail.com"))
        let ann = try await phone.signIn(with: google).user
        let before = try await world.account(ann)
        XCTAssertTrue(world.service.isEmailVerified(before))
        world.clock.advance(by: .seconds(day))
        try await ann.reauthenticate(with: world.google(.ann.with(email: "ann.new@gmail.com")))
        let after = try await world.account(ann)
        XCTAssertFalse(world.service.isEmailVerified(after), "the mailbox may be another person's by now")
        XCTAssertEqual(after.methods.first?.identity?.email?.text, "ann.new@gmail.com")
    }

    func testS2_AConfirmedIdentityVerifiesNoAddressThatAnotherAccountOwns() async throws {
        let phone = world.device()
        let google = world.google(.ann.with(email: "ann@gmail.com"))
        let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await ann.link(with: google)
        // As it is after the identity was reported and the address given to a separate account.
        let old = try await world.account(ann)
        var without = old
        without.dropEmail(at: old.createdAt)
        without.evidence = []
        without.methods[1].suspension = SignInMethod.Suspension(since: old.createdAt, reason: .ownerReportsChange)
        var transaction = Transaction(world.service.decisionContext())
        transaction.update(old, to: &without, by: .administrator)
        _ = try await world.service.store.commit(transaction.changes)
        try await world.signUp("ann@gmail.com")
        try await ann.link(with: google)
        let after = try await world.account(ann)
        XCTAssertTrue(after.methods.allSatisfy(\.isActive), "the identity is confirmed")
        XCTAssertFalse(world.service.isEmailVerified(after), "two accounts say that the address is verified")
    }

    func testS2_AConfirmedIdentityVerifiesNoAddressThatTheAccountOnlyDisplays() async throws {
        let phone = world.device()
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let ann = try await phone.signIn(with: world.google(person)).user
        try await ann.link(with: world.mailedLink(to: "ann@example.com", from: phone))
        let reset = world.device("reset")
        try await reset.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await reset.confirmPasswordReset(code: code, newPassword: "another long one")
        // The new owner of the address that was left.
        world.clock.advance(by: .seconds(15 * day))
        _ = try await world.signInByMail("ann@gmail.com", "other")
        let password = AuthCredential.password(email: "ann@example.com", password: "another long one")
        let again = try await phone.signIn(with: password).user
        try await again.link(with: world.digits(to: world.number, from: phone))
        try await again.unlink(.password)
        var claim = SimulatedToken(subject: "7", email: .text("ann@gmail.com"))
        claim.address = .silent
        try await again.link(with: world.credential(.gitHub, saying: claim))
        XCTAssertEqual(again.email, "ann@gmail.com", "the test needs the address to be displayed")
        try await again.link(with: world.google(person))
        let after = try await world.account(again)
        XCTAssertTrue(after.methods.allSatisfy(\.isActive), "the identity is confirmed")
        XCTAssertFalse(world.service.isEmailVerified(after), "two accounts say that the address is verified")
    }

    func testS2_AReauthenticationVerifiesNoAddressThatTheAccountOnlyDisplays() async throws {
        let phone = world.device()
        let ann = try await phone.signIn(with: world.gitHub(.ann.with(email: "ann.new@gmail.com"))).user
        try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        try await world.signUp("ann.new@gmail.com")
        try await ann.reauthenticate(with: world.google(.ann.with(email: "ann.new@gmail.com")))
        let after = try await world.account(ann)
        XCTAssertFalse(world.service.isEmailVerified(after), "another account owns the address")
    }
}
