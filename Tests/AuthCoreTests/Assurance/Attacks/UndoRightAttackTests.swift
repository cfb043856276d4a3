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
        for isMadeItsOwn in [false, true] {
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
            let client = world.service.client(world.context)
            let merged = try await client.merge(world.side(claiming), into: world.side(world.eveAtGoogle))
            XCTAssertEqual(merged.plan.movedAddress, "ann@example.com", "the address that moves")
            if isMadeItsOwn {
                // A password makes the displayed address the target's own again, and stays no longer than that.
                let user = try await world.device("eve").signIn(with: world.eveAtGoogle).user
                try await user.updatePassword(to: world.evesPassword)
                try await user.unlink(.password)
            }
            _ = try await client.undoMerge(merged.id, verifiedBy: world.side(claiming))
            try await world.device("mail").applyActionCode(hers)
            let after = try await world.account(ann)
            XCTAssertEqual(after.email?.text, "ann@example.com", "the owner's; made its own before: \(isMadeItsOwn)")
        }
    }

    /// The person with the target showed since that the mailbox is theirs.
    func testAnUndoTakesNoAddressThatTheTargetHasVerifiedSince() async throws {
        let phone = world.device("phone")
        let user = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        let claim = SimulatedToken(email: .text("ann@example.com"), address: .unverified)
        let other = try await world.device("b").signIn(with: world.credential(.gitHub, .ben, saying: claim)).user
        world.clock.advance(by: .seconds(8 * 86_400))
        let client = phone.client
        let merged = try await client.merge(
            world.side(world.credential(.gitHub, .ben, saying: claim)),
            into: .verified(phone.verify(world.digits(to: world.number, from: phone)))
        )
        let merging = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await merging.sendEmailVerification()
        try await phone.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        world.clock.advance(by: .seconds(600))
        let side = try await world.side(world.credential(.gitHub, .ben, saying: claim))
        _ = try await client.undoMerge(merged.id, verifiedBy: side)
        let (target, source) = (try await world.account(user), try await world.account(other))
        XCTAssertEqual(target.email?.text, "ann@example.com", "the address that the target verified")
        XCTAssertFalse(source.reservesEmail, "the source reserves what it only displayed")
    }

    /// An identity that was linked since verified the address only while the merge made it the target's.
    func testAnUndoLeavesTheTargetNoVerifiedAddressThatIsTheSources() async throws {
        let world = World(.standard)
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let phone = world.device("phone")
        let user = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await world.signUp("ann@gmail.com", in: world.device("laptop"))
        let client = phone.client
        let merged = try await client.merge(
            world.passwordSide("ann@gmail.com"),
            into: .verified(phone.verify(world.digits(to: world.number, from: phone)))
        )
        let joined = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await joined.link(with: world.google(gmail))
        _ = try await client.undoMerge(merged.id, verifiedBy: world.passwordSide("ann@gmail.com"))
        let after = try await world.account(user)
        XCTAssertEqual(after.methods.map(\.kind.provider), [.phone, .google], "what stays on the target")
        XCTAssertNil(after.email, "the address is the source's")
        let address = try XCTUnwrap(EmailAddress("ann@gmail.com"))
        XCTAssertFalse(after.hasProof(of: address, under: .standard), "it is verified on the source")
    }

    /// What the policy believes verifies, whether it is a mailbox code, a provider's word or an import.
    func testAnUndoTakesNoAddressThatAProviderHasVerifiedSinceWhereEveryFlagIsBelieved() async throws {
        let world = World(.firebase)
        let phone = world.device("phone")
        let user = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await world.device("laptop").signUp(email: "ann@example.com", password: World.password)
        let client = phone.client
        let merged = try await client.merge(
            world.passwordSide("ann@example.com"),
            into: .verified(phone.verify(world.digits(to: world.number, from: phone)))
        )
        let joined = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        let flagged = SimulatedToken(address: .verified)
        try await joined.link(with: world.credential(.facebook, .ann, saying: flagged))
        let side = Merge.Side.verified(try await phone.verify(world.digits(to: world.number, from: phone)))
        try await world.refusal(.mergeNotPossible, .nothingCanReturn) {
            try await client.undoMerge(merged.id, verifiedBy: side)
        }
        let after = try await world.account(user)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the target verified")
    }

    /// The account is back as it was, and so is what its notices report.
    func testAnUndoBringsTheNoticesOfTheMergedAccountBack() async throws {
        for hasHooks in [false, true] {
            world.startOver(.standard)
            if hasHooks { world.addHooks("orders") }
            let ann = try await world.annWithAPlantedIdentity()
            let report = try world.code(.methodAdded, to: "ann@example.com")
            let device = world.device("thief")
            try await device.signIn(with: world.digits(to: world.number, from: device))
            let client = device.client
            let merged = try await client.merge(
                world.side(World.annsPassword),
                into: .verified(device.verify(world.digits(to: world.number, from: device)))
            )
            let isOpen = await world.succeeds { try await client.reportUnauthorizedChange(code: report) }
            XCTAssertFalse(isOpen, "a report about an account that is merged; with hooks: \(hasHooks)")
            world.clock.advance(by: .seconds(3600))
            _ = try await client.undoMerge(merged.id, verifiedBy: world.side(World.annsPassword))
            try await world.device("mail").reportUnauthorizedChange(code: report)
            let after = try await world.account(ann)
            XCTAssertEqual(after.method(of: .google)?.isActive, false, "the planted identity; with hooks: \(hasHooks)")
        }
    }
}
