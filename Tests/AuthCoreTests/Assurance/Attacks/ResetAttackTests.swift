@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S13, S20, S23: what a password reset is worth, and what strangers can do to one.
final class ResetAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0
    private let word = "anns own word"

    private func annByPassword(_ password: String) async throws -> User {
        try await world.device("after").signIn(with: .password(email: "ann@example.com", password: password)).user
    }

    func testS13_AResetInheritsNoAgeFromAConfirmedAddress() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.facebook())
        world.clock.advance(by: .seconds(30 * day))
        try await world.reset(to: word)
        let thief = try await annByPassword(word)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.unlink(.facebook) }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.delete() }
    }

    /// A suspended method is its owner's still, who confirms it from inside.
    func testS13_AYoungLoginPutsNothingInThePlaceOfAnOlderMethodThatIsSuspended() async throws {
        for isNumber in [false, true] {
            world.startOver(.standard)
            let ann = try await world.signUpAnn()
            let digits = try await world.digits(to: "+15550001111")
            try await ann.link(with: isNumber ? digits : world.facebook())
            world.clock.advance(by: .seconds(30 * day))
            try await world.reset(to: word)
            let thief = try await annByPassword(word)
            let own = { [world] in
                isNumber
                    ? try await world.digits(to: world.evesNumber, from: world.device("after")) : world.facebook(.eve)
            }
            let place = isNumber ? "number" : "identity"
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, place) {
                try await thief.link(with: own())
            }
            try await thief.link(with: world.gitHub(.eve))
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, place) {
                try await thief.replace(.gitHub, with: own())
            }
            let before = try await world.account(ann).methods.map(\.kind)
            world.clock.advance(by: .seconds(7 * day))
            let later = try await annByPassword(word)
            try await later.link(with: own())
            let after = try await world.account(ann).methods.map(\.kind)
            XCTAssertEqual(before.count, after.count, "the \(place) was linked beside the suspended one")
            XCTAssertNotEqual(before, after, "the \(place) was not replaced after seven days")
        }
    }

    func testS13_AResetInheritsTheAgeOfTheMailboxesProof() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.facebook())
        world.clock.advance(by: .seconds(30 * day))
        try await world.reset(to: word)
        let back = try await annByPassword(word)
        try await back.unlink(.facebook)
        XCTAssertEqual(back.providerData.map(\.provider), [.password], "methods after the owner unlinked Facebook")
    }

    /// A live session sets its own address in a moment; a reset there must not take the account from its owner.
    func testS13_AResetAtAnAddressThatAStolenSessionSetTakesNoOlderMethod() async throws {
        let (ann, stolen) = try await world.stolenGoogleSession()
        try await stolen.updateEmail(to: "eve@example.net")
        let report = try world.code(.addressChanged, to: "ann@gmail.com")
        for isVerified in [false, true] {
            if isVerified {
                try await stolen.sendEmailVerification()
                try await stolen.applyActionCode(world.code(.verifyEmail, to: "eve@example.net"))
            }
            try await world.device("eve").sendPasswordReset(to: "eve@example.net")
            let code = try world.code(.resetPassword, to: "eve@example.net")
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "verified: \(isVerified)") {
                try await world.device("eve").confirmPasswordReset(code: code, newPassword: world.evesPassword)
            }
        }
        try await world.device("mail").reportUnauthorizedChange(code: report)
        let after = try await world.account(ann)
        XCTAssertNil(after.email, "the thief's address")
        XCTAssertTrue(after.methods.allSatisfy(\.isActive), "\(after.methods.filter { !$0.isActive })")
    }

    func testS13_NorDoesALinkFromThereThatResolvesAConflict() async throws {
        let (ann, stolen) = try await world.stolenGoogleSession()
        try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@gmail.com")
        try await world.device("eve").applyActionCode(world.code(.changeEmail, to: "eve@gmail.com"))
        let eve = world.device("eve")
        let conflict = try await world.conflict {
            try await eve.signIn(with: world.gitHub(SimulatedPerson.eve.with(email: "eve@gmail.com")))
        }
        let link = try await world.mailedLink(to: "eve@gmail.com", from: eve)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.resolve(conflict, signingInWith: link)
        }
        let after = try await world.account(ann)
        XCTAssertTrue(after.methods.allSatisfy(\.isActive), "\(after.methods.filter { !$0.isActive })")
    }

    /// The owner is not kept out for longer than seven days, and where nothing older is lost, not at all.
    func testS13_AResetAtAYoungAddressWaitsOnlyWhereItTakesAnOlderMethod() async throws {
        let (ann, stolen) = try await world.stolenGoogleSession()
        try await stolen.updateEmail(to: "ann@example.net")
        world.clock.advance(by: .seconds(14 * day))
        try await world.reset("ann@example.net", to: word)
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter(\.isActive).map(\.kind.provider), [.password])
        let ben = try await world.signUp("ben@example.com")
        try await ben.sendEmailVerification(beforeUpdatingTo: "ben@example.net")
        try await world.device().applyActionCode(world.code(.changeEmail, to: "ben@example.net"))
        try await world.reset("ben@example.net", to: word)
        try await world.device("ben").signIn(with: .password(email: "ben@example.net", password: word))
    }

    /// Its owner would have nothing left to sign in with, and nothing to report the address by.
    func testAResetTakesNoOlderMethodWhileTheAddressCanBeReported() async throws {
        let (ann, stolen) = try await world.stolenGoogleSession()
        try await stolen.updateEmail(to: "eve@example.net")
        let report = try world.code(.addressChanged, to: "ann@gmail.com")
        world.clock.advance(by: .seconds(8 * day))
        await assertThrows(.requiresRecentLogin, "a reset at the thief's address") {
            try await world.reset("eve@example.net", to: word)
        }
        try await world.device("mail").reportUnauthorizedChange(code: report)
        let after = try await world.account(ann)
        XCTAssertNil(after.email, "the thief's address is reported")
        XCTAssertTrue(after.methods.filter { $0.identity != nil }.allSatisfy(\.isActive), "the owner's methods stay")
    }

    func testS20_AResetListsEveryMethodAndEndsEverySession() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ann, world.work))
        try await ann.link(with: world.facebook(.ben))
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        try await world.device("mail").sendPasswordReset(to: "ann@example.com")
        let report = try await world.device("mail").confirmPasswordReset(
            code: try world.code(.resetPassword, to: "ann@example.com"),
            newPassword: word
        )
        XCTAssertEqual(report.usable.map(\.provider), [.password, .google])
        XCTAssertEqual(report.suspended.map(\.provider), [.facebook, .phone], "younger than thirty days")
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
    }

    func testS23_TheKeysOfAnAccountStayReservedWhileItsDeletionWaits() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub())
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        try await ann.delete()
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await world.squat() }
        let ben = try await world.signUp("ben@example.com")
        try await world.refusal(.credentialAlreadyInUse, .identityIsOwned, "linking her identity") {
            try await ben.link(with: world.gitHub())
        }
        let digits = try await world.digits(to: world.number, from: world.device("laptop of ben@example.com"))
        try await world.refusal(.credentialAlreadyInUse, .numberIsOwned, "linking her number") {
            try await ben.link(with: digits)
        }
    }

    func testS23_ADeletionRightAfterAResetCanBeCanceled() async throws {
        try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        try await world.reset(to: word)
        let thief = try await annByPassword(word)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.delete(permanently: true) }
        try await thief.delete()
        let kept = try await world.account(thief)
        XCTAssertNotNil(kept.deletedUntil, "an ordinary deletion waits")
    }

    func testS23_APasswordThatIsSevenDaysOldDeletesForGood() async throws {
        try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        try await world.reset(to: word)
        world.clock.advance(by: .seconds(7 * day))
        let ann = try await annByPassword(word)
        try await ann.delete(permanently: true)
        let gone = try await world.storedAccount(ann)
        XCTAssertNil(gone)
    }

    func testS23_WhoSignedUpTodayDeletesForGood() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete(permanently: true)
        let gone = try await world.storedAccount(ann)
        XCTAssertNil(gone)
    }

    func testAT28_FortyStrangersRequestsLeaveATenMinuteOldLinkAlive() async throws {
        world.policy.limits = nil
        let ann = try await world.signUpVerifiedAnn()
        try await world.device("laptop").sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        world.clock.advance(by: .seconds(600))
        for number in 0..<40 {
            world.clock.advance(by: .seconds(1))
            try await world.device("stranger \(number)").sendPasswordReset(to: "ann@example.com")
        }
        let newest = try world.code(.resetPassword, to: "ann@example.com")
        XCTAssertNotEqual(newest, code, "no stranger's request made a link")
        _ = try await world.device().checkActionCode(newest)
        try await world.device("phone").confirmPasswordReset(code: code, newPassword: word)
        let back = try await annByPassword(word)
        XCTAssertEqual(back.uid, ann.uid, "whom the new password signs in")
        let methods = try await world.providers(back)
        XCTAssertEqual(methods, [.password], "the methods after the reset")
    }

    /// The newest links of a mailbox open, and there are never more than the policy allows.
    func testTheLinksThatWaitAreBounded() async throws {
        world.policy.limits = nil
        try await world.signUpVerifiedAnn()
        var codes: [String] = []
        for _ in 0..<60 {
            world.clock.advance(by: .seconds(1))
            try await world.device("stranger").sendPasswordReset(to: "ann@example.com")
            codes.append(try world.code(.resetPassword, to: "ann@example.com"))
        }
        var live: [Bool] = []
        for code in codes { live.append(await world.succeeds { try await world.device().checkActionCode(code) }) }
        let expected = Array(repeating: false, count: 10) + Array(repeating: true, count: 50)
        XCTAssertEqual(live, expected)
    }

    /// A request for an unknown address writes as much as one for a known address, and nothing that opens anything.
    func testS29_ARequestWritesAsMuchForAnUnknownAddress() async throws {
        try await world.signUpVerifiedAnn()
        var work: [String] = []
        for name in ["ann@example.com", "nobody@example.com"] {
            let code = world.service.issueMailCode()
            let email = try XCTUnwrap(EmailAddress(name))
            let decided = try await world.service.decision(
                of: RequestPasswordReset(email: email, code: code, settings: nil)
            )
            let changes = decided.changes
            work.append("\(changes.records.count + changes.messages.count) rows, \(changes.events.count) events")
            let isKnown = name.hasPrefix("ann")
            XCTAssertEqual(changes.messages.count, isKnown ? 1 : 0, "mail goes to accounts only")
            for case .put(let record) in changes.records where !isKnown {
                XCTAssertNil(record.account)
                let expiry = try XCTUnwrap(record.expiresAt)
                XCTAssertLessThanOrEqual(expiry - record.createdAt, .minutes(10), "a decoy is short-lived")
            }
        }
        XCTAssertEqual(work[0], work[1])
    }

    func testS13_AnAddressThatCameBackGivesNoAgeFromBeforeItWasLeft() async throws {
        let laptop = world.device("laptop")
        var ann = try await world.signUpVerifiedAnn(laptop)
        func move(to email: String) async throws {
            try await ann.sendEmailVerification(beforeUpdatingTo: email)
            try await ann.applyActionCode(world.newestCode(to: email))
            try await ann.reload()
        }
        world.clock.advance(by: .seconds(30 * day))
        ann = try await world.device("laptop").signIn(with: World.annsPassword).user
        try await move(to: "ann@example.net")
        try await ann.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(365 * day))
        ann = try await world.device("laptop").signIn(with: world.gitHub(.ann)).user
        try await move(to: "ann@example.com")
        world.clock.advance(by: .seconds(3600))
        try await world.reset()
        let reset = try await world.device("mail").signIn(
            with: .password(email: "ann@example.com", password: "anns own word")
        ).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await reset.unlink(.gitHub) }
    }

    /// What is suspended cannot sign in, so it need not be covered.
    func testS20_AMailedLinkSignsInAfterAResetThatSuspendedAnIdentity() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("laptop"))
        world.clock.advance(by: .seconds(60))
        try await world.device("stolen").signIn(with: World.annsPassword).user.link(with: world.gitHub(.eve))
        try await world.reset()
        let phone = world.device("phone")
        let back = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        XCTAssertEqual(back.uid, ann.uid)
    }
}
