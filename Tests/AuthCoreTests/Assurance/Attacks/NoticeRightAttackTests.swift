@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-38: who may contest a change by the code of its notice.
final class NoticeRightAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let day = 86_400.0
    private let word = "a fresh new word"

    private var annAtGoogle: AuthCredential { world.google(.ann, SimulatedToken(email: .text("ann@gmail.com"))) }

    private func reports(_ kind: Message.Kind, at email: String) async throws {
        try await world.device("reader").reportUnauthorizedChange(code: try world.code(kind, to: email))
    }

    private func opens(_ password: String) async -> Bool {
        await world.succeeds {
            try await world.device("tablet").signIn(with: .password(email: "ann@example.com", password: password))
        }
    }

    func testAT38_AMethodPlantedEightDaysAgoDoesNotContestThePasswordChange() async throws {
        _ = try await world.annWithAPlantedIdentity()
        world.clock.advance(by: .seconds(8 * day))
        let ann = try await world.device().signIn(with: World.annsPassword).user
        try await ann.updatePassword(to: word)
        try await reports(.methodReplaced, at: "eve@gmail.com")
        let isOpen = await opens(word)
        XCTAssertTrue(isOpen, "the planted address suspends the owner's new password")
    }

    func testAT38_AMethodPlantedEightDaysAgoDoesNotContestAReset() async throws {
        _ = try await world.annWithAPlantedIdentity()
        world.clock.advance(by: .seconds(8 * day))
        try await world.reset(to: word)
        let code = try world.code(.methodReplaced, to: "eve@gmail.com")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("eve").reportUnauthorizedChange(code: code)
        }
        let isOpen = await opens(word)
        XCTAssertTrue(isOpen, "the planted address suspends the password of the reset")
    }

    /// The password of the reset is new, but what it makes is authorized by the mailbox, which is older than the plant.
    func testAT38_NorWhatTheNewPasswordOfAResetAuthorizes() async throws {
        _ = try await world.annWithAPlantedIdentity()
        world.clock.advance(by: .seconds(40 * day))
        try await world.reset(to: word)
        let ann = try await world.device().signIn(with: .password(email: "ann@example.com", password: word)).user
        try await ann.reauthenticate(with: .password(email: "ann@example.com", password: word))
        try await ann.link(with: world.eveAtGoogle)
        try await ann.link(with: world.gitHub())
        try await reports(.methodAdded, at: "eve@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .gitHub)?.isActive, true, "the planted address suspends what the owner added")
    }

    /// The mailbox authorizes a join, and it is older than the plant.
    func testAT38_NorAnIdentityThatJoinsByTheOwnersMailbox() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        let icloud = SimulatedToken(email: .text("eve@icloud.com"))
        try await ann.link(with: world.credential(.apple, .eve, saying: icloud))
        world.clock.advance(by: .seconds(8 * day))
        let joined = try await world.device("tablet").signIn(with: world.google(.ann, world.work)).user
        XCTAssertEqual(joined.uid, ann.uid)
        try await reports(.methodAdded, at: "eve@icloud.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .google)?.isActive, true, "the planted address suspends the owner's Google")
    }

    func testS18_TheAddressThatWasVerifiedForTheLongestAlwaysContests() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.eveAtGoogle)
        try await reports(.methodAdded, at: "ann@example.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .google)?.isActive, false)
    }

    /// Also if only an identity names the address, and the thief's number is older.
    func testS18_TheOnlyVerifiedAddressContestsWhatAnOlderMethodDoes() async throws {
        let number = "+16505550101"
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: number, from: phone)).user
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: annAtGoogle)
        world.clock.advance(by: .seconds(8 * day))
        let thief = world.device("thief")
        try await thief.signIn(with: world.digits(to: number, from: thief)).user.link(with: world.facebook(.eve))
        try await reports(.methodAdded, at: "ann@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .facebook)?.isActive, false, "what the thief of the number added")
    }

    /// A younger address of the account's own does not take the right of an identity's address away.
    func testS18_AnOldestAddressThatAnIdentityNamesContestsWhatAnOlderMethodDoes() async throws {
        let ann = try await world.device("phone").signIn(with: world.gitHub()).user
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: annAtGoogle)
        world.clock.advance(by: .seconds(60))
        try await world.verifyAddress(of: ann)
        world.clock.advance(by: .seconds(8 * day))
        let thief = try await world.device("thief").signIn(with: world.gitHub()).user
        try await thief.link(with: world.facebook(.eve))
        try await reports(.methodAdded, at: "ann@gmail.com")
        let added = try await world.account(ann)
        XCTAssertEqual(added.method(of: .facebook)?.isActive, false, "what the thief of the oldest method added")
        let again = try await world.device("thief").signIn(with: world.gitHub()).user
        try await again.replace(.google, with: world.eveAtGoogle)
        try await reports(.methodReplaced, at: "ann@gmail.com")
        let replaced = try await world.account(ann)
        XCTAssertEqual(replaced.method(of: .google)?.isActive, false, "what the thief replaced it by")
    }

    /// Even where the change removed it from the account.
    func testS18_TheAddressThatWasVerifiedForTheLongestContestsItsOwnReplacement() async throws {
        let annsGmail = SimulatedToken(email: .text("ann@gmail.com"))
        let ann = try await world.device().signIn(with: world.google(.ann, annsGmail)).user
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: world.google(.ann, annsGmail)).user
        try await stolen.replace(.google, with: world.eveAtGoogle)
        try await reports(.methodReplaced, at: "ann@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .google)?.isActive, false, "the replacement goes on signing in")
    }

    /// An address counts that was verified before the method with which the change was made was added.
    func testS18_AnotherAddressContestsWhatAYoungerMethodDid() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(day))
        let session = try await world.device().signIn(with: World.annsPassword).user
        try await session.link(with: world.google(.ann, SimulatedToken(email: .text("ann@gmail.com"))))
        world.clock.advance(by: .seconds(day))
        let later = try await world.device().signIn(with: World.annsPassword).user
        try await later.link(with: world.facebook(.ben))
        world.clock.advance(by: .seconds(10 * day))
        let facebook = try await world.device("stolen").signIn(with: world.facebook(.ben)).user
        try await facebook.link(with: world.gitHub(.eve))
        try await reports(.methodAdded, at: "ann@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .gitHub)?.isActive, false)
    }

    func testS18_AnotherAddressDoesNotContestWhatAnOlderMethodDid() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(day))
        let session = try await world.device().signIn(with: World.annsPassword).user
        try await session.link(with: world.google(.ann, SimulatedToken(email: .text("ann@gmail.com"))))
        world.clock.advance(by: .seconds(30 * day))
        let later = try await world.device().signIn(with: World.annsPassword).user
        try await later.link(with: world.gitHub())
        try await reports(.methodAdded, at: "ann@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .gitHub)?.isActive, true)
        let over = await world.succeeds { try await later.reload() }
        XCTAssertFalse(over, "its code still ends the sessions")
    }

    /// Neither Ann's session nor her link to a new password ends.
    func testAT38_ACodeOfAPlantedAddressEndsNoSessionsOnceTheIdentityIsGone() async throws {
        _ = try await world.annWithAPlantedIdentity()
        world.clock.advance(by: .seconds(8 * day))
        let ann = try await world.device("phone").signIn(with: World.annsPassword).user
        try await ann.updatePassword(to: "anns own word")
        let code = try world.code(.methodReplaced, to: "eve@gmail.com")
        try await ann.unlink(.google)
        try await world.device("mail").sendPasswordReset(to: "ann@example.com")
        let reset = try world.code(.resetPassword, to: "ann@example.com")
        world.clock.advance(by: .seconds(1800))
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("eve").reportUnauthorizedChange(code: code)
        }
        try await ann.reload()
        try await world.device("mail").confirmPasswordReset(code: reset, newPassword: "another of hers")
    }

    /// With a stolen session Eve lays in as many codes as she likes, and uses one whenever Ann has signed in again.
    func testAT38_AStockOfCodesKeepsNoOwnerOutAfterTheThiefWasReported() async throws {
        let planted = try await world.annWithAPlantedIdentity()
        let report = try world.code(.methodAdded, to: "ann@example.com")
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        var codes: [String] = []
        for number in 0..<6 {
            try await stolen.updateProfile(displayName: .set("\(number)"))
            try await stolen.link(with: world.gitHub(.eve))
            codes.append(try world.code(.methodAdded, to: "eve@gmail.com"))
            try await stolen.unlink(.gitHub)
        }
        try await world.device("mail").reportUnauthorizedChange(code: report)
        let after = try await world.account(planted)
        XCTAssertEqual(after.methods.filter(\.isActive).map(\.kind.provider), [.password])
        let ann = try await world.device("phone").signIn(with: World.annsPassword).user
        for code in codes {
            try await world.refusal(.invalidActionCode, .codeIsOutdated) {
                try await world.device("eve").reportUnauthorizedChange(code: code)
            }
        }
        try await ann.reload()
    }

    /// The same by an identity that comes and goes: each removal gives its address a code that nothing ends.
    func testAT38_TheNoticeOfItsRemovalGivesAYoungAddressNoPowerOverTheOwnersSessions() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        var codes: [String] = []
        for _ in 0..<6 {
            try await stolen.link(with: world.eveAtGoogle)
            try await stolen.unlink(.google)
            codes.append(try world.code(.methodRemoved, to: "eve@gmail.com"))
            world.clock.advance(by: .seconds(10))
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.map(\.kind.provider), [.password], "nothing of Eve's is left")
        let back = try await world.device("phone").signIn(with: World.annsPassword).user
        for code in codes {
            try await world.refusal(.invalidActionCode, .codeIsOutdated) {
                try await world.device("eve").reportUnauthorizedChange(code: code)
            }
        }
        try await back.reload()
    }

    /// An address that was planted, removed and planted again is no older than the second time.
    func testAT38_AnAddressThatWasRemovedWithItsIdentityAndCameBackIsNew() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        try await world.device("phone").signIn(with: World.annsPassword).user.unlink(.google)
        world.clock.advance(by: .seconds(30 * day))
        try await world.device("phone").signIn(with: World.annsPassword).user.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(30 * day))
        try await world.device("stolen").signIn(with: World.annsPassword).user.link(with: world.eveAtGoogle)
        world.clock.advance(by: .seconds(day))
        let phone = world.device("phone")
        let again = try await phone.signIn(with: world.gitHub(.ann)).user
        try await again.link(with: world.digits(to: world.number, from: phone))
        try await reports(.methodAdded, at: "eve@gmail.com")
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [])
    }

    /// The same, after the owner changed her address: the planted one becomes the longest-verified.
    func testAT38_AnAddressThatCameBackDoesNotOutrankTheOwners() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        let laptop = world.device("phone")
        let owner = try await laptop.signIn(with: World.annsPassword).user
        try await owner.unlink(.google)
        world.clock.advance(by: .seconds(60))
        try await owner.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await laptop.applyActionCode(world.newestCode(to: "ann@example.net"))
        world.clock.advance(by: .seconds(30 * day))
        let password = AuthCredential.password(email: "ann@example.net", password: World.password)
        let stolen = try await world.device("stolen").signIn(with: password).user
        try await stolen.link(with: world.eveAtGoogle)
        try await stolen.link(with: world.gitHub(.eve))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.net"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [.gitHub], "the owner's report")
    }
}
