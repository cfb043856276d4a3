@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What was begun before the owner reacted must not complete afterwards.
final class PendingChangeAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// A thief in a stolen session asks for a change of address and waits; the owner changes the password.
    private func stealAndReact(_ react: (User) async throws -> Void) async throws -> (User, String) {
        let ann = try await world.signUpVerifiedAnn()
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        let kept = try world.code(.changeEmail, to: "eve@evil.example")
        try await react(ann)
        return (ann, kept)
    }

    func testPH4_APasswordChangeEndsPendingChangesOfTheAddress() async throws {
        let (ann, kept) = try await stealAndReact { try await $0.updatePassword(to: "a fresh new word") }
        try await world.refusal(.invalidActionCode) { try await world.device("eve").applyActionCode(kept) }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    func testPH4_RevokingOtherSessionsEndsPendingChangesOfTheAddress() async throws {
        let (_, kept) = try await stealAndReact { try await $0.revokeOtherSessions() }
        try await world.refusal(.invalidActionCode) { try await world.device("eve").applyActionCode(kept) }
    }

    func testPH4_EndingTheThiefsSessionEndsTheChangeOfTheAddressThatItAskedFor() async throws {
        let (ann, kept) = try await stealAndReact { ann in
            let sessions = try await ann.sessions()
            try await ann.revokeSession(try XCTUnwrap(sessions.first { $0.deviceName == "eve" }?.id))
        }
        try await world.refusal(.invalidActionCode) { try await world.device("eve").applyActionCode(kept) }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    func testPH4_AChangeOfTheAddressThatIsAskedForWhileItsSessionIsEndedIsNotBegun() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        let gate = Gate()
        world.store.script(.commit, .waitsBefore(gate))
        async let asked: Void = thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        await gate.waitForArrivals()
        try await ann.revokeSession(thief.session.id)
        gate.open()
        do {
            try await asked
            XCTFail("a session that is over asked for a change of the address")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .userTokenExpired, "\(error)")
        }
        let mailed = world.outbox.messages.filter { $0.kind == .changeEmail }
        XCTAssertEqual(mailed, [], "the change of the address is begun")
    }

    func testPH4_DisablingTheAccountEndsTheChangeOfTheAddressThatASessionAskedFor() async throws {
        let world = world
        let (ann, kept) = try await stealAndReact {
            try await world.service.setDisabled(true, account: $0.account.id)
        }
        try await world.refusal(.invalidActionCode) { try await world.device("eve").applyActionCode(kept) }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    func testPH4_EndingAnotherSessionKeepsAChangeOfTheAddressThatItDidNotAskFor() async throws {
        let (ann, kept) = try await stealAndReact { ann in
            let other = try await world.device("tablet").signIn(with: World.annsPassword).user
            try await ann.revokeSession(other.session.id)
        }
        try await world.device("mail").applyActionCode(kept)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "eve@evil.example")
    }

    func testPH4_APendingChangeSurvivesAPasswordChangeWhereThePolicyLetsIt() async throws {
        world.startOver(AuthPolicy.weakened { $0.endsAddressChanges = false })
        let (ann, kept) = try await stealAndReact { try await $0.updatePassword(to: "a fresh new word") }
        try await world.device("eve").applyActionCode(kept)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "eve@evil.example", "the attack bites")
    }

    /// Ann opens a verification that Eve asked for; what Eve began with Ann's address ends there.
    func testPH4_TheFirstProofOfTheAddressEndsPendingChangesOfIt() async throws {
        let eve = try await world.squat()
        try await eve.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        let kept = try world.code(.changeEmail, to: "eve@evil.example")
        try await eve.sendEmailVerification()
        try await world.device("ann").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        try await world.refusal(.invalidActionCode) { try await world.device("eve").applyActionCode(kept) }
    }

    /// Eve links a mailbox of hers to Ann's account in a session that she stole: Ann's address gets its way back.
    func testALinkedMailboxThatTakesTheAddressesPlaceCanBeTakenBack() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        try await ann.link(with: world.mailedLink(to: "eve@evil.example", from: auth))
        XCTAssertEqual(ann.email, "eve@evil.example")
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
        let eves = world.device("eve")
        let link = try await world.mailedLink(to: "eve@evil.example", from: eves)
        let came = try await eves.signIn(with: link)
        XCTAssertTrue(came.isNewUser, "the mailbox that was taken off the account opens one that is there")
        XCTAssertNotEqual(came.user.uid, ann.uid, "the mailbox that was taken off the account opens it")
    }

    /// Whoever added a method of their own in a stolen session cannot move the address with it.
    func testAYoungMethodDoesNotMoveTheAddressByALinkedMailbox() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(3600))
        let eves = world.device("eve")
        let thief = try await eves.signIn(with: world.gitHub(.eve)).user
        let link = try await world.mailedLink(to: "eve@evil.example", from: eves)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.link(with: link) }
    }

    /// Somebody moves their own account to the victim's address, and the victim opens the link that asks for it.
    func testPH4_WhoOpensAStrangersMoveToTheirAddressStartsFreshAndKeepsIt() async throws {
        let eve = try await world.device("eve").signUp(email: "eve@example.com", password: world.evesPassword).user
        try await world.verifyAddress(of: eve)
        try await eve.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        try await world.device("anns mail").applyActionCode(world.code(.changeEmail, to: "ann@example.com"))
        let auth = world.device("ann")
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, world.work)) }
        let ann = try await auth.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        try await world.refusal(.invalidCredential) {
            try await world.device("eve").signIn(
                with: .password(email: "ann@example.com", password: world.evesPassword)
            )
        }
        let before = try await world.account(ann)
        try await world.device("eve").applyActionCode(world.code(.recoverEmail, to: "eve@example.com"))
        var reported: [String] = []
        for message in world.outbox.messages where "\(message.recipient)".contains("eve@example.com") {
            let code = await outcome { try await world.device("eve").reportUnauthorizedChange(code: message.code) }
            reported.append("\(message.kind): \(code?.name ?? "done")")
        }
        XCTAssertEqual(reported, ["verifyEmail: invalidActionCode", "recoverEmail: invalidActionCode"], "her codes")
        let after = try await world.account(ann)
        XCTAssertEqual(before, after)
        try await ann.reload()
        let theirs = try await world.account(eve)
        XCTAssertEqual(theirs.email?.text, "eve@example.com")
    }

    func testAChangeOfTheAddressEndsWithTheFactorThatItsSessionHadShown() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        let app = try await world.enrollTOTP(ann)
        let id = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id)
        world.clock.advance(by: .seconds(60))
        try await world.enrollPhone(ann)
        let eve = world.device("eve")
        let challenge = try await world.passwordChallenge(in: eve)
        let thief = try await eve.resolve(challenge, with: .totp(world.totp(app))).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await ann.multiFactor.unenroll(id)
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await eve.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        }
    }

    func testWhereAChangeOfTheAddressNeedsNoFactorItDoesNotEndWithOne() async throws {
        var policy = AuthPolicy.standard
        policy.recency.operations.remove(.changeEmail)
        let world = World(policy)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await world.enrollTOTP(ann)
        let id = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id)
        world.clock.advance(by: .seconds(60))
        try await world.enrollPhone(ann)
        try await ann.multiFactor.unenroll(id)
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await world.device("phone").applyActionCode(world.code(.changeEmail, to: "ann@example.net"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.net", "the address that the session asked for")
    }
}
