import AuthCoreTesting
import XCTest

@testable import AuthCore

/// What a merge or a move makes of an address that an account only displays, since another one owns it.
final class MergedAddressAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// Nothing rests on an address that another account owns.
    private func assertSound(_ what: String, file: StaticString = #filePath, line: UInt = #line) async throws {
        let found = try await Invariants(store: world.store.whole, policy: world.policy).violations()
        XCTAssertEqual(found, [], what, file: file, line: line)
    }

    func testS2_AMoveVerifiesNoAddressThatAnotherAccountOwns() async throws {
        let shown = world.device("t")
        let target = try await shown.signIn(with: world.gitHub(.ann)).user
        let source = try await world.signUp("ann@example.com", linking: world.google(.ann, world.work))
        world.clock.advance(by: .seconds(8 * 86_400))
        let moved = try await world.service.client(world.context).move(
            .google,
            from: world.side(world.google(.ann, world.work)),
            to: world.side(.gitHub)
        )
        let user = moved.result.user
        XCTAssertEqual(user.account.id, target.account.id, "whose session the move gives")
        let owner = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(owner?.id, source.account.id, "the owner of the address")
        let claims = try await user.idTokenResult().claims
        XCTAssertEqual(claims["email_verified"], false, "whether its token says so")
        await assertThrows(.unverifiedEmail, "a factor that no mailbox could recover") {
            try await self.world.enrollTOTP(user)
        }
        try await assertSound("after the move")
    }

    func testS2_AMergeVerifiesNoAddressThatAnotherAccountOwns() async throws {
        let target = try await world.device("t").signIn(with: world.gitHub(.ann)).user
        let squatter = try await world.squat("ann@example.com")
        try await world.signUp("ben@example.com", linking: world.google(.ann, world.work))
        world.clock.advance(by: .seconds(8 * 86_400))
        _ = try await world.service.client(world.context).merge(
            world.passwordSide("ben@example.com"),
            into: world.side(.gitHub)
        )
        let owner = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(owner?.id, squatter.account.id, "the owner of the address")
        let account = try await world.account(target)
        XCTAssertFalse(account.reservesEmail, "the address is only displayed")
        XCTAssertFalse(world.service.isEmailVerified(account), "an address that another account owns")
        try await assertSound("after the merge")
    }

    /// GitHub does not run the mailbox, so the address is no more the target's own than it was the source's.
    func testAMergeOnlyDisplaysAnAddressThatTheSourceOnlyDisplayed() async throws {
        for isOwned in [false, true] {
            world.startOver(.standard)
            let what = "owned by another account: \(isOwned)"
            let phone = world.device()
            try await phone.signIn(with: world.digits(to: world.number, from: phone))
            try await world.device("laptop").signIn(with: world.gitHub(.ann))
            let owner = isOwned ? try await world.signUpVerifiedAnn(world.device("owner")) : nil
            let before = try await world.service.account(email: "ann@example.com")
            XCTAssertEqual(before?.id, owner?.accountID, "the owner of the address, \(what)")
            world.clock.advance(by: .seconds(8 * 86_400))
            let merged = try await world.service.client(world.context).merge(
                world.side(world.gitHub(.ann)),
                into: world.side(world.digits(to: world.number))
            )
            let account = try await world.account(merged.result.user)
            XCTAssertEqual(account.email?.text, "ann@example.com", "the address that is displayed, \(what)")
            XCTAssertFalse(account.reservesEmail, "the target owns an address that it only displays, \(what)")
            let after = try await world.service.account(email: "ann@example.com")
            XCTAssertEqual(after, before, "the owner of the address, \(what)")
            try await assertSound(what)
        }
    }

    /// A password signs in under its account's address, so that address must be the account's own.
    func testS2_AMergePutsNoAddressOfOthersUnderASuspendedPassword() async throws {
        let gmail = SimulatedToken(email: .text("ann@gmail.com"))
        let ben = try await world.signUp("ben@example.com", linking: world.google(.eve, gmail))
        try await ben.unlink(.password)
        try await ben.link(with: .password(email: "ben@example.com", password: World.password))
        world.clock.advance(by: .seconds(60))
        let report = try world.code(.addressChanged, to: "ann@gmail.com")
        try await world.device("x").reportUnauthorizedChange(code: report)
        try await world.device("y").signIn(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(8 * 86_400))
        let merged = try await world.service.client(world.context).merge(
            world.side(world.gitHub(.eve)),
            into: world.side(world.google(.eve, gmail))
        )
        XCTAssertNil(merged.plan.movedAddress, "the address that moved")
        try await assertSound("after the merge")
    }
}
