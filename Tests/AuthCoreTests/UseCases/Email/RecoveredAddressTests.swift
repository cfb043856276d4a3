@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S19: when a change of the address can be reversed from the old one.
final class RecoveredAddressTests: LimitedTestCase {
    private let world = World(.standard)

    /// Moves the account's address, asked for by this user.
    private func move(_ user: User) async throws {
        try await user.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device("mail").applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
    }

    func testS19_AChangeThatBothMailboxesConfirmedIsNotReversed() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        world.clock.advance(by: .seconds(1))
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: auth))
        try await ann.applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
        XCTAssertNil(world.outbox.last(to: "ann@example.com", .recoverEmail), "the old mailbox can reverse the change")
        let notice = try world.code(.addressChanged, to: "ann@example.com")
        try await world.device("mail").reportUnauthorizedChange(code: notice)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "new@example.com", "the notice reverses the change")
        XCTAssertTrue(after.reservations.isEmpty, "the old address stays reserved")
    }

    func testS19_AChangeThatAPasswordMadeIsReversedFromTheOldMailbox() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await move(ann)
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    func testAFactorFromSinceTheChangeIsSuspendedWithTheReason() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await move(ann)
        try await ann.reload()
        try await world.enrollTOTP(ann)
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.factors.map(\.suspension?.reason), [.addressIsRecovered])
    }

    func testS19_RecoveryCodesThatWereMadeSinceTheChangeAreRemoved() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        _ = try await ann.multiFactor.makeRecoveryCodes()
        try await move(ann)
        try await ann.reload()
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        let eves = world.device("eve")
        let challenge = try await world.passwordChallenge(in: eves)
        try await world.refusal(.invalidVerificationCode, .codeIsWrong) {
            try await eves.resolve(challenge, with: .recoveryCode(codes[0]))
        }
    }

    func testS19_RecoveryCodesFromBeforeTheChangeAreKept() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        try await move(ann)
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        let tablet = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: tablet)
        let back = try await tablet.resolve(challenge, with: .recoveryCode(codes[0])).user
        XCTAssertEqual(back.uid, ann.uid, "whom a recovery code from before signs in")
    }

    func testS19_WhatAThiefAddedBeforeTheChangeIsReportedAfterItsReversalToo() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.gitHub(.eve))
        let report = try world.code(.methodAdded, to: "ann@example.com")
        world.clock.advance(by: .seconds(60))
        try await move(ann)
        let later = try world.code(.addressChanged, to: "new@example.com")
        world.clock.advance(by: .seconds(3600))
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await world.device("eve").reportUnauthorizedChange(code: later)
        }
        try await world.device("mail").reportUnauthorizedChange(code: report)
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("eve").signIn(with: world.gitHub(.eve))
        }
    }

    func testS19_TheOldMailboxHasFourteenDays() async throws {
        for (age, isInTime) in [(14 * 86_400.0 - 1, true), (14 * 86_400.0, false)] {
            let world = World(.standard)
            let ann = try await world.signUpVerifiedAnn()
            try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
            try await world.device("mail").applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
            let code = try world.code(.recoverEmail, to: "ann@example.com")
            world.clock.advance(by: .seconds(age))
            if isInTime {
                try await world.device("mail").applyActionCode(code)
            } else {
                // The former address is kept back only as long as the code is good.
                await assertThrows(.expiredActionCode, "after \(age) seconds") {
                    try await world.device("mail").applyActionCode(code)
                }
            }
            let account = try await world.account(ann)
            let address = isInTime ? "ann@example.com" : "new@example.com"
            XCTAssertEqual(account.email?.text, address, "the address after \(age) seconds")
        }
    }

    func testS19_LaterChangesDoNotEndIt() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await move(ann)
        let code = try world.code(.recoverEmail, to: "ann@example.com")
        try await ann.reload()
        try await ann.sendEmailVerification(beforeUpdatingTo: "third@example.com")
        try await world.device("mail").applyActionCode(try world.code(.changeEmail, to: "third@example.com"))
        try await ann.updatePassword(to: "a fresh new word")
        try await world.device("mail").applyActionCode(code)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the address from before the chain")
    }

    func testS19_ARecoverySuspendsWhatWasAddedSinceAndEndsTheSessions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.facebook())
        try await move(ann)
        try await ann.reload()
        try await ann.link(with: world.gitHub(.eve))
        try await world.enrollTOTP(ann)
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .gitHub)?.isActive, false)
        XCTAssertEqual(after.method(of: .facebook)?.isActive, true, "what was there before stays")
        XCTAssertEqual(after.activeFactors.count, 0)
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
    }

    func testARecoveryThatIsOpenedInTheAppSignsThePersonOutThere() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await move(ann)
        XCTAssertIdentical(auth.currentUser, ann, "who is signed in before")
        try await ann.applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        XCTAssertNil(auth.currentUser, "who is signed in after every session ended")
    }

    func testACodeOfAnotherAccountThatIsOpenedInTheAppSignsNobodyOut() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await move(ann)
        let auth = world.device("ben")
        let ben = try await auth.signIn(with: world.google(.ben)).user
        try await ben.applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        XCTAssertIdentical(auth.currentUser, ben, "who is signed in")
    }

    func testS19_TheOldAddressStaysReservedMeanwhile() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await move(ann)
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await world.squat() }
        world.clock.advance(by: .seconds(14 * 86_400))
        try await world.squat()
    }

    /// A link from the old mailbox that was opened before the request confirms nothing: the session may be stolen.
    func testS19_ALinkFromTheOldMailboxBeforeTheRequestConfirmsNothing() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        try await move(ann)
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .recoverEmail), "the change cannot be reversed")
    }

    /// A thief of the session's token asks for the change, and the person logs in by mail for something else.
    func testS19_ALoginByMailConfirmsNoChangeWhoseLinkIsOpenedElsewhere() async throws {
        let auth = world.device("tablet")
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        let thief = try await world.device("eve").client.user(forIDToken: ann.idToken())
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        world.clock.advance(by: .seconds(600))
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: auth))
        let code = try world.code(.changeEmail, to: "eve@example.net")
        try await thief.applyActionCode(code)
        let recovery = try world.code(.recoverEmail, to: "ann@example.com")
        try await world.device("mail").applyActionCode(recovery)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the person takes the address back")
    }

    func testAnAddressThatIsTakenBackLeavesAMethodThatSignsIn() async throws {
        var world = World(.standard)
        _ = try await world.device().signIn(with: world.google(.ann, world.work))
        world.policy.disabledProviders = [.password, .emailLink]
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        let address = try XCTUnwrap(ann.email)
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.net")
        try await ann.applyActionCode(world.code(.changeEmail, to: "new@example.net"))
        try await ann.link(with: world.gitHub())
        try await ann.unlink(.google)
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: address))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, address, "the address that was taken back")
        XCTAssertEqual(after.methods.map(\.isActive), [true], "the only method that can sign in")
    }

    /// A link that another session of the account opened after the request confirms nothing either.
    func testS19_ALinkFromTheOldMailboxInAnotherSessionConfirmsNothing() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        world.clock.advance(by: .seconds(1))
        let auth = world.device("tablet")
        try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        try await world.device("mail").applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .recoverEmail), "the change cannot be reversed")
    }
}
