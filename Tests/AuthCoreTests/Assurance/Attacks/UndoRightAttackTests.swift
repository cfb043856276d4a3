@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S25: a merge is undone by what was old on its side before, also where that did not move or was replaced since.
final class UndoRightAttackTests: LimitedTestCase {
    private var world = World(.standard)

    func testAYoungMethodOfTheSourceUndoesNoMerge() async throws {
        for hasHooks in [false, true] {
            world.startOver(.standard)
            if hasHooks { world.addHooks("orders") }
            let old = try await world.annWithAPlantedIdentity()
            let main = try await world.signUp("ann@example.org", in: world.device("main"))
            let client = world.service.client(world.context)
            let merged = try await client.merge(
                world.passwordSide("ann@example.com"),
                into: world.passwordSide("ann@example.org")
            )
            XCTAssertEqual(merged.result.user.uid, main.uid)
            XCTAssertEqual(merged.plan.moves.map(\.provider), [.google])
            world.clock.advance(by: .seconds(3600))
            let eve = world.device("eve")
            let action = try await eve.checkActionCode(world.code(.accountMerged, to: "eve@gmail.com"))
            let id = try XCTUnwrap(action.merge)
            XCTAssertEqual(id, merged.id)
            let side = Merge.Side.verified(try await eve.verify(world.eveAtGoogle))
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
                try await eve.client.undoMerge(id, verifiedBy: side)
            }
            let methods = try await world.storedProviders(old)
            XCTAssertEqual(methods, [], "the merged account is back; with hooks: \(hasHooks)")
        }
    }

    func testAYoungMethodOfTheTargetUndoesNoMergeAfterAnOlderOneWasReplaced() async throws {
        _ = try await world.annWithAPlantedIdentity()
        try await world.signIn(.gitHub, .ben)
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.side(.gitHub, .ben), into: world.passwordSide("ann@example.com"))
        let eve = world.device("eve")
        let before = Merge.Side.verified(try await eve.verify(world.eveAtGoogle))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.client.undoMerge(merged.id, verifiedBy: before)
        }
        let user = try await world.device("phone").signIn(with: World.annsPassword).user
        try await user.updatePassword(to: "another good word")
        world.clock.advance(by: .seconds(60))
        let side = Merge.Side.verified(try await eve.verify(world.eveAtGoogle))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.client.undoMerge(merged.id, verifiedBy: side)
        }
    }

    func testAYoungIdentityUndoesNotItsOwnMove() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        try await world.signUp("ann@example.org", in: world.device("main"))
        let client = world.service.client(world.context)
        let moved = try await client.move(
            .google,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ann@example.org")
        )
        world.clock.advance(by: .seconds(3600))
        let eve = world.device("eve")
        let side = Merge.Side.verified(try await eve.verify(world.eveAtGoogle))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.client.undoMerge(moved.id, verifiedBy: side)
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.map(\.kind.provider), [.password])
        XCTAssertEqual(after.blockedIssuers.map(\.text), ["https://accounts.google.com"])
    }

    /// The merged account only displayed the address, which the target reserves for the owner who lost it.
    func testAnUndoEndsNoRightToAnAddressThatTheSourceOnlyDisplayed() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(30 * 86_400))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.link(with: world.eveAtGoogle)
        try await thief.unlink(.password)
        let hers = try world.code(.recoverEmail, to: "ann@example.com")
        let claim = SimulatedToken(email: .text("ann@example.com"), address: .unverified)
        let claiming = world.credential(.gitHub, .ben, saying: claim)
        try await world.device("b").signIn(with: claiming)
        let merged = try await world.service.client(world.context).merge(
            world.side(claiming),
            into: world.side(world.eveAtGoogle)
        )
        XCTAssertEqual(merged.plan.movedAddress, "ann@example.com", "the address that moves")
        _ = try await world.service.client(world.context).undoMerge(merged.id, verifiedBy: world.side(claiming))
        try await world.device("mail").applyActionCode(hers)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the owner takes back")
    }
}
