@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-38 where no session authorizes the change but a mailed code: the planted address contests that no more.
final class PlantedAddressAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let day = 86_400.0
    private let annAtNet = AuthCredential.password(email: "ann@example.net", password: World.password)

    private func reports(_ kind: Message.Kind, at email: String) async throws {
        try await world.device("reader").reportUnauthorizedChange(code: try world.code(kind, to: email))
    }

    private func providers(_ user: User) async throws -> [ProviderID] {
        try await world.account(user).methods.filter(\.isActive).map(\.kind.provider)
    }

    /// The owner's address is the oldest of all, though the account had left it when she took it back.
    func testAT38_APlantedAddressDoesNotContestTheRecoveryOfTheOwnersAddress() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        let stolen = world.device("stolen")
        try await stolen.signIn(with: World.annsPassword)
        try await world.changeAddress(stolen, to: "eve@evil.example")
        try await world.device("phone").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await reports(.addressChanged, at: "eve@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the planted address takes the recovered one away")
        XCTAssertEqual(after.method(of: .password)?.isActive, true, "the planted address suspends the owner's password")
    }

    func testAT38_APlantedAddressDoesNotContestTheOwnersChangeOfAddressByALink() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        world.clock.advance(by: .seconds(8 * day))
        let phone = world.device("phone")
        try await phone.signIn(with: World.annsPassword)
        try await world.changeAddress(phone, to: "ann@example.net")
        try await reports(.addressChanged, at: "eve@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.net", "the planted address takes the owner's new one away")
        XCTAssertEqual(after.method(of: .password)?.isActive, true, "the planted address suspends the owner's password")
    }

    /// An address that is older than the method of the thief's session goes on contesting what that session asked for.
    func testS18_AnOlderAddressContestsTheChangeOfAddressThatAYoungMethodAskedFor() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        world.clock.advance(by: .seconds(60))
        try await phone.currentUser?.link(with: world.google(.ann, SimulatedToken(email: .text("ann@gmail.com"))))
        world.clock.advance(by: .seconds(10 * day))
        try await world.device("phone").signIn(with: World.annsPassword).user.link(with: world.facebook(.ben))
        world.clock.advance(by: .seconds(10 * day))
        let thief = world.device("thief")
        try await thief.signIn(with: world.facebook(.ben))
        try await world.changeAddress(thief, to: "eve@evil.example")
        try await reports(.addressChanged, at: "ann@gmail.com")
        let after = try await world.account(ann)
        XCTAssertNotEqual(after.email?.text, "eve@evil.example", "the change that the owner's Google address reported")
    }

    /// The end of the session that asked for a change ends the change, also where its thief ends it.
    func testS19_ASignOutEndsTheChangeOfAddressThatTheSessionAskedFor() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        let thief = world.device("thief")
        let user = try await thief.signIn(with: World.annsPassword).user
        try await user.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await thief.signOut()
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("mail").applyActionCode(world.newestCode(to: "eve@evil.example"))
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    /// An address that was verified for longer than the mailbox that took its method away goes on ending sessions.
    func testS18_TheOldestAddressEndsSessionsAlthoughAYoungerMailboxTookItsMethodAway() async throws {
        let gmail = SimulatedToken(email: .text("ann@gmail.com"))
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.google(.ann, gmail)).user
        world.clock.advance(by: .seconds(5 * day))
        try await phone.signIn(with: world.google(.ann, gmail))
        try await world.changeAddress(phone, to: "ann@work.example")
        try await world.device("tablet").signIn(with: world.google(.ann, gmail))
        world.clock.advance(by: .seconds(15 * day))
        try await world.reset("ann@work.example", to: "a word of the reset")
        let left = try await providers(ann)
        XCTAssertEqual(left, [.password], "what the reset leaves")
        let thief = try await world.device("thief").signIn(
            with: .password(email: "ann@work.example", password: "a word of the reset")
        ).user
        try await reports(.methodRemoved, at: "ann@gmail.com")
        let over = await world.succeeds { try await thief.reload() }
        XCTAssertFalse(over, "the session of the new password")
    }

    func testAT38_TheNoticeOfAReportGivesTheReportedAddressNoPowerOverTheOwnersSessions() async throws {
        _ = try await world.annWithAPlantedIdentity()
        try await reports(.methodAdded, at: "ann@example.com")
        try await assertEndsNothing(world.code(.methodRemoved, to: "eve@gmail.com"))
    }

    func testAT38_NorDoesTheNoticeOfARecovery() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(30 * day))
        let stolen = world.device("stolen")
        let user = try await stolen.signIn(with: World.annsPassword).user
        try await world.changeAddress(stolen, to: "eve@evil.example")
        try await user.link(with: world.eveAtGoogle)
        try await world.device("phone").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let left = try await providers(ann)
        XCTAssertEqual(left, [.password], "what the recovery leaves")
        for kind in [Message.Kind.methodRemoved, .addressChanged] {
            try await assertEndsNothing(world.code(kind, to: "eve@gmail.com"))
        }
    }

    /// The creator of the account never had the mailbox: its owner's reset takes the creator's identity off.
    func testAT38_NorDoesTheNoticeOfAResetAtAnAddressThatTheCreatorNeverVerified() async throws {
        try await world.squat()
        let eve = try await world.device("eve").signIn(
            with: .password(email: "ann@example.com", password: world.evesPassword)
        ).user
        try await eve.link(with: world.eveAtGoogle)
        try await world.reset(to: World.password)
        let left = try await providers(eve)
        XCTAssertEqual(left, [.password], "what the reset leaves")
        try await assertEndsNothing(world.code(.methodRemoved, to: "eve@gmail.com"))
    }

    /// A thief who moved the account twice keeps no right to the first of both addresses once the owner reported it.
    func testAT38_AReportedAddressCannotBeTakenBackByItsCode() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await phone.currentUser?.link(with: world.google(.ann, SimulatedToken(email: .text("ann@gmail.com"))))
        world.clock.advance(by: .seconds(30 * day))
        let thief = world.device("thief")
        try await thief.signIn(with: World.annsPassword)
        try await world.changeAddress(thief, to: "eve@evil.example")
        let first = try world.code(.addressChanged, to: "ann@gmail.com")
        world.clock.advance(by: .seconds(60))
        try await world.changeAddress(thief, to: "eve@other.example")
        let back = try world.code(.recoverEmail, to: "eve@evil.example")
        for code in [try world.code(.addressChanged, to: "ann@gmail.com"), first] {
            try await world.device("reader").reportUnauthorizedChange(code: code)
        }
        try await world.refusal(.invalidActionCode, .codeIsOutdated) { try await thief.applyActionCode(back) }
        let after = try await world.account(ann)
        XCTAssertNil(after.email, "the account's address after both reports")
    }

    private func assertEndsNothing(_ code: String, line: UInt = #line) async throws {
        let ann = try await world.device("laptop").signIn(with: World.annsPassword).user
        try await world.refusal(.invalidActionCode, .codeIsOutdated, line: line) {
            try await world.device("eve").reportUnauthorizedChange(code: code)
        }
        try await ann.reload()
    }

    /// As it merges no older account away: the owner's report must still find the account.
    func testAPlantedMethodDeletesNoOlderAccountForGoodWhileItCanBeReported() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        let report = try world.code(.methodAdded, to: "ann@example.com")
        world.clock.advance(by: .seconds(8 * day))
        let thief = try await world.device("eve").signIn(with: world.eveAtGoogle).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.delete(permanently: true) }
        try await world.device("mail").reportUnauthorizedChange(code: report)
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .google)?.isActive, false, "the planted method after the report")
    }

    func testAReportThatAPlantedAddressMakesEndsNoRightOfTheOwner() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(30 * day))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.link(with: world.eveAtGoogle)
        try await thief.unlink(.password)
        let hers = try world.code(.recoverEmail, to: "ann@example.com")
        world.clock.advance(by: .seconds(60))
        try await thief.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        let report = try world.code(.addressChanged, to: "eve@gmail.com")
        try await world.device("eve").reportUnauthorizedChange(code: report)
        try await world.device("mail").applyActionCode(hers)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the owner takes back")
    }
}
