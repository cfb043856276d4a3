@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S19 and S25: an owner who returns to an address has ended what later addresses could do, in whatever way she returned.
final class ReturnedAddressAttackTests: XCTestCase {
    private let world = World(.standard)
    private let day = 86_400.0

    /// Ann's verified account, of which a thief who knows the password moved the address to his own.
    private func moveToEvesAddress() async throws -> User {
        world.clock.advance(by: 10 * day)
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await thief.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        world.clock.advance(by: 60)
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

    func testS19_AReauthenticationByALinkToAnAddressEndsTheRightsOfLaterOnes() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ann))
        let thief = try await moveToEvesAddress()
        try await thief.link(with: world.facebook(.eve))
        world.clock.advance(by: 60)
        try await thief.unlink(.password)
        let code = try world.code(.recoverEmail, to: "eve@evil.example")
        try await thief.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        let own = world.device("own")
        let back = try await own.signIn(with: world.gitHub(.ann)).user
        try await back.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: own))
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("x").applyActionCode(code)
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
}
