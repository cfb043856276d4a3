@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S19 and S25: an owner who returns to an address has ended what later addresses could do, in whatever way she
/// returned.
final class ReturnedAddressAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let day = 86_400.0

    /// Ann's verified account, of which a thief who knows the password moved the address to his own.
    private func moveToEvesAddress(from address: String = "ann@example.com") async throws -> User {
        world.clock.advance(by: .seconds(10 * day))
        let password = AuthCredential.password(email: address, password: World.password)
        let thief = try await world.device("eve").signIn(with: password).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await thief.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        world.clock.advance(by: .seconds(60))
        return thief
    }

    func testS19_AChangeBackToAnAddressGivesTheOneItLeavesNoRight() async throws {
        try await world.signUpVerifiedAnn()
        _ = try await moveToEvesAddress()
        let hers = try world.code(.recoverEmail, to: "ann@example.com")
        let password = AuthCredential.password(email: "eve@evil.example", password: World.password)
        let ann = try await world.device("ann").signIn(with: password).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        try await ann.applyActionCode(world.code(.changeEmail, to: "ann@example.com"))
        XCTAssertNil(world.outbox.last(to: "eve@evil.example", .recoverEmail), "the thief can take the account back")
        let after = try await world.account(ann)
        XCTAssertEqual(after.reservations.map(\.email.text), ["ann@example.com"], "who has a right to the account")
        try await world.device("mail").applyActionCode(hers)
        let restored = try await world.account(ann)
        XCTAssertEqual(restored.email?.text, "ann@example.com", "her own code is still good")
    }

    func testS19_NorDoesAMailedLinkToItThatReplacesThePassword() async throws {
        try await world.signUpVerifiedAnn()
        _ = try await moveToEvesAddress()
        let own = world.device("own")
        let password = AuthCredential.password(email: "eve@evil.example", password: World.password)
        let ann = try await own.signIn(with: password).user
        try await ann.replace(.password, with: world.mailedLink(to: "ann@example.com", from: own))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
        XCTAssertEqual(after.reservations.map(\.email.text), ["ann@example.com"], "who has a right to the account")
        try await assertTheAddressThatWasLeftIsToldWithoutAnOffer()
    }

    func testS19_NorDoesAMailedLinkToItThatIsLinked() async throws {
        let ann = try await world.signIn(.gitHub)
        let own = world.device("laptop of Ann")
        try await world.verifyAddress(of: ann)
        world.clock.advance(by: .seconds(10 * day))
        let thief = try await world.device("eve").signIn(with: world.gitHub()).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await thief.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        world.clock.advance(by: .seconds(60))
        let email = try XCTUnwrap(ann.email)
        let back = try await own.signIn(with: world.gitHub()).user
        try await back.link(with: world.mailedLink(to: email, from: own))
        let after = try await world.account(ann)
        XCTAssertEqual(after.reservations.map(\.email.text), [email], "who has a right to the account")
        try await assertTheAddressThatWasLeftIsToldWithoutAnOffer()
    }

    func testS19_NorDoesAnIdentityOfTheProviderThatRunsItsMailbox() async throws {
        let ann = try await world.signUp("ann@gmail.com")
        _ = try await moveToEvesAddress(from: "ann@gmail.com")
        let password = AuthCredential.password(email: "eve@evil.example", password: World.password)
        let own = try await world.device("own").signIn(with: password).user
        try await own.replace(.password, with: world.google(.ann, SimulatedToken(email: .text("ann@gmail.com"))))
        let after = try await world.account(ann)
        XCTAssertEqual(after.reservations.map(\.email.text), ["ann@gmail.com"], "who has a right to the account")
        try await assertTheAddressThatWasLeftIsToldWithoutAnOffer()
    }

    /// The thief's address is told of the change, and no message offers what its code cannot do any more.
    private func assertTheAddressThatWasLeftIsToldWithoutAnOffer(line: UInt = #line) async throws {
        let eve = Message.Recipient.email(EmailAddress(normalized: "eve@evil.example"))
        let messages = world.outbox.messages.filter { $0.recipient == eve }
        XCTAssertFalse(messages.contains { $0.kind == .recoverEmail }, "a code that restores nothing", line: line)
        XCTAssertEqual(messages.last?.kind, .addressChanged, "the last message about the change", line: line)
        XCTAssertEqual(messages.last?.createdAt, world.clock.now, "it is told of this change", line: line)
        for message in messages where message.kind.isNotice {
            _ = try await world.device("eve").checkActionCode(message.code)
        }
    }

    /// A proof of the address that the thief put back unverified, which is no change of it.
    private func assertAProofEndsTheLaterRight(
        of address: String,
        _ prove: (_ own: Auth) async throws -> Void
    ) async throws {
        let ann = try await world.signUp(address, linking: world.gitHub(.ann))
        let thief = try await moveToEvesAddress(from: address)
        try await thief.link(with: world.facebook(.eve))
        world.clock.advance(by: .seconds(60))
        try await thief.unlink(.password)
        let code = try world.code(.recoverEmail, to: "eve@evil.example")
        try await thief.link(with: .password(email: address, password: world.evesPassword))
        let own = world.device("own")
        try await own.signIn(with: world.gitHub(.ann))
        try await prove(own)
        let after = try await world.account(ann)
        XCTAssertTrue(world.service.isEmailVerified(after), "the proof verifies nothing")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("x").applyActionCode(code)
        }
    }

    func testS19_AReauthenticationByALinkToAnAddressEndsTheRightsOfLaterOnes() async throws {
        try await assertAProofEndsTheLaterRight(of: "ann@example.com") { own in
            let link = try await world.mailedLink(to: "ann@example.com", from: own)
            try await own.currentUser?.reauthenticate(with: link)
        }
    }

    func testS19_SoDoesAnIdentityOfTheProviderThatRunsTheMailbox() async throws {
        try await assertAProofEndsTheLaterRight(of: "ann@gmail.com") { own in
            try await own.currentUser?.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        }
    }

    func testS25_AMergeIsUndoneWhereTheTargetLeftTheAddressAndShowsItAgain() async throws {
        let phone = world.device("phone")
        try await phone.signIn(with: world.digits(to: world.number, from: phone))
        try await world.signUp("ann@gmail.com", linking: world.gitHub(.ben))
        let client = world.service.client(world.context)
        let proof = try await world.side(world.digits(to: world.number, from: world.device("phone")))
        let merged = try await client.merge(world.passwordSide("ann@gmail.com"), into: proof)
        let user = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await user.unlink(.password)
        try await user.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        let side = try await world.side(world.digits(to: world.number, from: world.device("phone")))
        try await client.undoMerge(merged.id, verifiedBy: side)
        let back = try await world.signIn(.gitHub, .ben)
        XCTAssertNotEqual(back.uid, user.uid, "the identity went back to its account")
    }

    /// The thief's own former address, to which an earlier code belongs, comes back only as a provider claims it.
    func testAnEndedRightDoesNotComeBackWithAnAddressThatIsOnlyDisplayed() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * 86_400))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        for address in ["e@evil.example", "f@evil.example", "g@evil.example", "e@evil.example"] {
            try await thief.sendEmailVerification(beforeUpdatingTo: address)
            try await world.device("eve").applyActionCode(world.code(.changeEmail, to: address))
        }
        let hers = try world.code(.recoverEmail, to: "ann@example.com")
        let ended = try world.code(.recoverEmail, to: "f@evil.example")
        try await thief.reload()
        try await thief.link(with: world.gitHub(.eve))
        try await thief.unlink(.password)
        try await thief.link(with: world.facebook(SimulatedPerson.eve.with(email: "f@evil.example")))
        let displayed = try await world.account(ann)
        XCTAssertEqual(displayed.email?.text, "f@evil.example", "the address that the account displays")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("eve").applyActionCode(ended)
        }
        try await world.device("mail").applyActionCode(hers)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the owner takes back")
    }
}
