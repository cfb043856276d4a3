@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a thief does so that the owner's notice reports nothing any more, and what a planted address reports.
final class ReportRightAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let day = 86_400.0
    private let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")

    /// The planted method is then the oldest of the account, though the notice about it is still valid.
    func testAPlantedMethodThatRemovedTheOlderOnesDeletesNoAccountForGood() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        let report = try world.code(.methodAdded, to: "ann@example.com")
        world.clock.advance(by: .seconds(8 * day))
        let thief = try await world.device("eve").signIn(with: world.eveAtGoogle).user
        try await thief.unlink(.password)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.delete(permanently: true) }
        try await world.device("mail").reportUnauthorizedChange(code: report)
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the owner takes back")
    }

    func testAPlantedMethodThatRemovedTheOlderOnesMergesNoAccountAway() async throws {
        let (_, stolen) = try await world.stolenGoogleSession()
        try await stolen.link(with: world.gitHub(.eve))
        let report = try world.code(.methodAdded, to: "ann@gmail.com")
        try await world.device("eve").signIn(with: world.eveAtGoogle)
        world.clock.advance(by: .seconds(8 * day))
        let thief = try await world.device("thief").signIn(with: world.gitHub(.eve)).user
        try await thief.unlink(.google)
        try await thief.unlink(.facebook)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await world.service.client(world.context).merge(
                world.side(world.gitHub(.eve)),
                into: world.side(world.eveAtGoogle)
            )
        }
        try await world.device("mail").reportUnauthorizedChange(code: report)
    }

    /// Without a minimum of age, no method is too young.
    func testWhereNoAgeIsNeededAYoungMethodDeletesTheAccountForGood() async throws {
        var policy = AuthPolicy.standard
        policy.seniority = nil
        let world = World(policy)
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.google(gmail))
        world.clock.advance(by: .seconds(day))
        let user = try await world.device().signIn(with: world.google(gmail)).user
        try await user.delete(permanently: true)
        let left = try await world.storedAccount(ann)
        XCTAssertNil(left, "the deleted account")
    }

    /// The thief left the address once before, and keeps the code with which it could be restored.
    func testAReportedAddressThatTheThiefReturnedToCannotBeTakenBack() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await phone.currentUser?.link(with: world.google(gmail))
        world.clock.advance(by: .seconds(30 * day))
        let thief = world.device("thief")
        try await thief.signIn(with: World.annsPassword)
        for address in ["eve@evil.example", "eve@other.example", "eve@evil.example"] {
            try await world.changeAddress(thief, to: address)
            world.clock.advance(by: .seconds(60))
        }
        let back = try world.code(.recoverEmail, to: "eve@evil.example")
        let report = try world.code(.addressChanged, to: "ann@gmail.com")
        try await world.device("reader").reportUnauthorizedChange(code: report)
        try await world.refusal(.invalidActionCode, .codeIsOutdated) { try await thief.applyActionCode(back) }
        let after = try await world.account(ann)
        XCTAssertNil(after.email, "the account's address after the report")
        XCTAssertEqual(after.reservations.map(\.email.text), ["ann@example.com"], "what is kept for the owner")
    }

    /// The owner's right is renewed when the address is left once more, after the notice that the thief reports by.
    func testAPlantedAddressReportsNoRightOfTheOwnersAwayThatWasRenewedSince() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        let thief = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await thief.link(with: world.eveAtGoogle)
        try await thief.unlink(.password)
        world.clock.advance(by: .seconds(60))
        try await thief.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        let report = try world.code(.addressChanged, to: "eve@gmail.com")
        try await thief.sendEmailVerification()
        try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        world.clock.advance(by: .seconds(8 * day))
        let eve = world.device("eve")
        try await eve.signIn(with: world.eveAtGoogle)
        try await world.changeAddress(eve, to: "eve@evil.example")
        try await eve.reportUnauthorizedChange(code: report)
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the owner takes back")
    }

    /// The notice to the oldest address works although the address is not the account's any more.
    func testAResetTakesNoOlderMethodAlthoughTheAddressThatCanReportIsRemoved() async throws {
        let (ann, stolen) = try await world.stolenGoogleSession()
        try await stolen.updateEmail(to: "eve@example.net")
        let report = try world.code(.addressChanged, to: "ann@gmail.com")
        try await stolen.unlink(.google)
        world.clock.advance(by: .seconds(8 * day))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await world.reset("eve@example.net") }
        try await world.device("mail").reportUnauthorizedChange(code: report)
        let after = try await world.account(ann)
        XCTAssertNil(after.email, "the thief's address after the report")
        XCTAssertEqual(after.method(of: .facebook)?.isActive, true, "the owner's other method")
    }

    func testAPlantedAddressThatCanReportNothingDelaysNoResetOfTheOwners() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        world.clock.advance(by: .seconds(2 * day))
        let phone = world.device("phone")
        try await phone.signIn(with: World.annsPassword)
        try await world.changeAddress(phone, to: "ann@example.net")
        world.clock.advance(by: .seconds(6 * day))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await world.reset("ann@example.net") }
        world.clock.advance(by: .seconds(2 * day))
        try await world.reset("ann@example.net")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .google)?.isActive, false, "the planted method after the reset")
    }

    /// The owner verified her address again after the thief had put it back, and set a password of her own.
    func testAPlantedAddressReportsNoAddressAwayThatItsOwnerVerifiedBefore() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.facebook(.ben))
        world.clock.advance(by: .seconds(30 * day))
        let thief = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await thief.link(with: world.eveAtGoogle)
        try await thief.unlink(.password)
        world.clock.advance(by: .seconds(13 * day))
        let eve = try await world.device("eve").signIn(with: world.eveAtGoogle).user
        try await eve.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        let report = try world.code(.addressChanged, to: "eve@gmail.com")
        try await eve.sendEmailVerification()
        try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        try await world.reset()
        world.clock.advance(by: .seconds(7 * day))
        try await world.device("eve").reportUnauthorizedChange(code: report)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the owner's address after the thief's report")
        XCTAssertEqual(after.method(of: .password)?.isActive, true, "the owner's new password")
    }

    /// The address was notified of the change, and its identity is gone.
    func testANoticeToAnAddressThatIsNotNotifiedAnyMoreDelaysNoReset() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(day))
        try await world.device("phone").signIn(with: World.annsPassword).user.link(with: world.google(gmail))
        world.clock.advance(by: .seconds(9 * day))
        try await world.device("phone").signIn(with: World.annsPassword).user.link(with: world.facebook(.ann))
        world.clock.advance(by: .seconds(20 * day))
        let phone = world.device("phone")
        let user = try await phone.signIn(with: world.facebook(.ann)).user
        try await user.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await world.device("mail").applyActionCode(world.newestCode(to: "ann@example.net"))
        try await user.unlink(.google)
        world.clock.advance(by: .seconds(8 * day))
        try await world.reset("ann@example.net")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .facebook)?.isActive, false, "what the reset leaves to be confirmed")
    }

    /// No address is notified of an account that only GitHub signs in to, and its owner could undo nothing.
    func testAMethodThatReplacedTheOnlyOneMergesNoAccountAwayAtOnce() async throws {
        let ann = try await world.signIn(.gitHub, .ann)
        try await world.device("eve").signIn(with: world.eveAtGoogle)
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: world.gitHub(.ann)).user
        try await stolen.replace(.gitHub, with: world.facebook(.eve))
        world.clock.advance(by: .seconds(60))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await world.service.client(world.context).merge(
                world.side(world.facebook(.eve)),
                into: world.side(world.eveAtGoogle)
            )
        }
        let left = try await world.storedAccount(ann)
        XCTAssertNotNil(left, "the account after the refused merge")
    }

    /// The address that the account left can still be restored, and with it the account.
    func testAMethodThatReplacedTheOnlyOneDeletesNoAccountForGoodWhileTheAddressCanBeRestored() async throws {
        for days in [0.0, 6, 8] {
            let world = World(.standard)
            let ann = try await world.signUpVerifiedAnn()
            world.clock.advance(by: .seconds(30 * day))
            let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
            try await stolen.replace(.password, with: world.eveAtGoogle)
            world.clock.advance(by: .seconds(days * day + 60))
            let thief = try await world.device("eve").signIn(with: world.eveAtGoogle).user
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "after \(days) days") {
                try await thief.delete(permanently: true)
            }
            try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
            let after = try await world.account(ann)
            XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the owner takes back")
        }
    }

    /// No address is notified of an account that only GitHub signs in to.
    func testAMethodThatReplacedTheOnlyOneDeletesNoAccountForGoodAtOnce() async throws {
        try await world.signIn(.gitHub, .ann)
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: world.gitHub(.ann)).user
        try await stolen.replace(.gitHub, with: world.facebook(.eve))
        world.clock.advance(by: .seconds(60))
        let thief = try await world.device("eve").signIn(with: world.facebook(.eve)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.delete(permanently: true) }
    }

    /// The address that the notice went to is the one that the change put back.
    func testTheOwnersReportDoesNotEndHerRightToTheAddressThatGotTheNotice() async throws {
        let ann = try await world.device("phone").signIn(with: world.google(gmail)).user
        try await ann.link(with: .password(email: "ann@gmail.com", password: World.password))
        world.clock.advance(by: .seconds(30 * day))
        let thief = world.device("thief")
        let stolen = try await thief.signIn(with: world.google(gmail)).user
        try await world.changeAddress(thief, to: "eve@other.example")
        let right = try world.code(.recoverEmail, to: "ann@gmail.com")
        try await stolen.unlink(.password)
        world.clock.advance(by: .seconds(60))
        try await world.device("phone").signIn(with: world.google(gmail))
        try await stolen.link(with: .password(email: "ann@gmail.com", password: world.evesPassword))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.addressChanged, to: "ann@gmail.com"))
        try await world.device("mail").applyActionCode(right)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@gmail.com", "the address that the owner takes back")
    }

    /// The account's address becomes the one of the identity, and what Google says of it stays true.
    func testAThiefWhoSetsTheAddressOfALinkedIdentityStopsNoNoticesToIt() async throws {
        let (ann, stolen) = try await world.stolenGoogleSession()
        try await stolen.updateEmail(to: "ann@gmail.com")
        world.clock.advance(by: .seconds(60))
        try await stolen.link(with: world.gitHub(.eve))
        let report = try world.code(.methodAdded, to: "ann@gmail.com")
        try await world.device("mail").reportUnauthorizedChange(code: report)
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .gitHub)?.isActive, false, "what the thief added")
    }

    /// The owner reads her mails in their order: the planted method is the only one then, and the next code restores
    /// her address.
    func testAReportSuspendsTheOnlyMethodWhereTheOwnersAddressCanBeRestored() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.gitHub(.eve))
        let report = try world.code(.methodAdded, to: "ann@example.com")
        try await stolen.unlink(.password)
        try await world.device("mail").reportUnauthorizedChange(code: report)
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address that the owner takes back")
        XCTAssertEqual(after.method(of: .gitHub)?.isActive, false, "what the thief added")
        try await world.reset()
    }
}
