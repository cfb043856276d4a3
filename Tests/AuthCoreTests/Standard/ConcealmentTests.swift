@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S29: what strangers cannot learn.
final class ConcealmentTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
        policy.concealsSignUp = true
    }

    private let word = "a word of my own"

    func testSigningUpForATakenAddressLooksLikeSigningUpForAFreeOne() async throws {
        try await signUpProvenAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = seat("stranger at \(email)")
            let user = try await auth.signUp(email: email, password: word).user
            XCTAssertEqual(user.email, email)
            XCTAssertFalse(user.isEmailVerified)
            try await auth.signOut()
            let back = try await auth.signIn(with: .password(email: email, password: word))
            XCTAssertEqual(back.user.uid, user.uid)
            try await refusal(.invalidCredential, .credentialIsWrong, email) {
                try await seat("elsewhere").signIn(with: .password(email: email, password: word))
            }
        }
        let ann = try await seat("tablet").signIn(with: Self.annsPassword)
        XCTAssertTrue(ann.user.isEmailVerified)
    }

    func testTheAddressOfAProvisionalAccountIsProvedLikeAnyOther() async throws {
        let auth = seat()
        let user = try await auth.signUp(email: "new@example.com", password: word).user
        try await user.sendEmailVerification()
        try await auth.applyActionCode(try newestCode(to: "new@example.com"))
        let elsewhere = try await seat("elsewhere").signIn(with: .password(email: "new@example.com", password: word))
        XCTAssertEqual(elsewhere.user.uid, user.uid)
        let after = try await account(user)
        XCTAssertFalse(after.isProvisional)
        XCTAssertTrue(after.reservesEmail)
    }

    func testWhoOpensTheLinkOfAProvisionalAccountAndHasOneAlreadyIsTold() async throws {
        let ann = try await signUpProvenAnn()
        let auth = seat("forgetful")
        let second = try await auth.signUp(email: "ann@example.com", password: word).user
        try await second.sendEmailVerification()
        let code = try newestCode(to: "ann@example.com")
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await auth.applyActionCode(code) }
        try await ann.reload()
    }

    func testAProofEvictsWhoOnlyReservedTheAddress() async throws {
        policy.concealsSignUp = false
        let auth = seat()
        let ann = try await auth.signIn(with: google()).user
        XCTAssertFalse(ann.isEmailVerified)
        let squatter = try await seat("squatter").signUp(email: "ann@example.com", password: word).user
        try await ann.sendEmailVerification()
        try await auth.applyActionCode(try newestCode(to: "ann@example.com"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await account(squatter)
        XCTAssertNil(left.email)
        try await refusal(.invalidCredential) {
            try await seat("squatter").signIn(with: .password(email: "ann@example.com", password: word))
        }
    }

    func testWhoSignsUpOnceMoreInTheSameSeatGetsTheNewerAccount() async throws {
        try await signUpProvenAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = seat("forgetful at \(email)")
            let first = try await auth.signUp(email: email, password: word).user
            let second = try await auth.signUp(email: email, password: "another word of mine").user
            XCTAssertNotEqual(second.uid, first.uid)
            try await auth.signOut()
            let back = try await auth.signIn(with: .password(email: email, password: "another word of mine"))
            XCTAssertEqual(back.user.uid, second.uid)
            try await refusal(.invalidCredential, .credentialIsWrong, email) {
                try await auth.signIn(with: .password(email: email, password: word))
            }
        }
    }

    func testAGuestWhoNamesTheAddressOfAnEarlierSignUpInTheSameSeatLearnsNothingEither() async throws {
        try await signUpProvenAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = seat("forgetful guest at \(email)")
            try await auth.signUp(email: email, password: word)
            let guest = try await auth.signInAnonymously().user
            try await guest.link(with: .password(email: email, password: "another word of mine"))
            try await guest.replace(.password, with: .password(email: email, password: "a third word of mine"))
            try await auth.signOut()
            let back = try await auth.signIn(with: .password(email: email, password: "a third word of mine"))
            XCTAssertEqual(back.user.uid, guest.uid)
        }
    }

    func testADisabledAccountShowsOnlyToWhoKnowsThePassword() async throws {
        let ann = try await signUpProvenAnn()
        try await service.setDisabled(true, account: ann.account.id)
        try await refusal(.invalidCredential, .credentialIsWrong) {
            try await seat("x").signIn(with: .password(email: "ann@example.com", password: "not the word"))
        }
        try await refusal(.userDisabled) { try await seat("x").signIn(with: Self.annsPassword) }
    }

    func testHowOneSignsInIsMailedAndToldNobody() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: google())
        for email in ["ann@example.com", "nobody@example.com"] {
            let before = try await service.accounts(limit: .max)
            try await seat("stranger").sendSignInMethods(to: email)
            let after = try await service.accounts(limit: .max)
            XCTAssertEqual(before, after)
        }
        let told = try XCTUnwrap(outbox.last(to: "ann@example.com", .signInMethods))
        XCTAssertEqual(told.signInMethods, [.password, .google])
        XCTAssertEqual(told.code, "")
        XCTAssertNil(told.link)
        let other = try XCTUnwrap(outbox.last(to: "nobody@example.com", .signInMethods))
        XCTAssertEqual(other.signInMethods, [])
    }

    func testHowOneSignsInIsMailedToWhoOnlyShowsTheAddress() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        XCTAssertFalse(ann.isEmailVerified)
        try await seat("stranger").sendSignInMethods(to: "ann@example.com")
        XCTAssertEqual(outbox.last(to: "ann@example.com", .signInMethods)?.signInMethods, [.facebook])
    }

    func testAResetListsWhatBecameOfTheOtherWaysIn() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: gitHub(.eve))
        try await auth.sendPasswordReset(to: "ann@example.com")
        let report = try await auth.confirmPasswordReset(code: try newestCode(to: "ann@example.com"), newPassword: word)
        XCTAssertEqual(report.account.text, ann.uid)
        XCTAssertEqual(report.usable.map(\.provider), [.password])
        XCTAssertEqual(report.suspended.map(\.provider), [.gitHub])
        XCTAssertEqual(report.removed, [])
    }

    func testAnAnonymousSeatThatNamesAnAddressLearnsNothingEither() async throws {
        try await signUpProvenAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = seat("guest at \(email)")
            let guest = try await auth.signInAnonymously().user
            try await guest.link(with: .password(email: email, password: word))
            XCTAssertEqual(guest.email, email)
            XCTAssertFalse(guest.isEmailVerified)
            try await auth.signOut()
            let back = try await auth.signIn(with: .password(email: email, password: word))
            XCTAssertEqual(back.user.uid, guest.uid)
            try await refusal(.invalidCredential, .credentialIsWrong, email) {
                try await seat("elsewhere").signIn(with: .password(email: email, password: word))
            }
        }
        try await seat("tablet").signIn(with: Self.annsPassword)
    }

    func testAPreviewOfAnAddressThatIsOnlyClaimedTellsNobodyWhetherItHasAnAccount() async throws {
        try await signUpProvenAnn()
        var previews: [Preview] = []
        for email in ["ann@example.com", "free@example.com"] {
            let claim = SimulatedToken(email: .text(email), address: .unverified)
            let auth = seat("stranger at \(email)")
            let verified = try await auth.verify(.simulated(.gitHub, .eve, saying: claim, at: clock.now))
            previews.append(try await auth.preview(signInWith: verified))
        }
        XCTAssertEqual(previews[0].answer, .goesThrough)
        XCTAssertEqual(previews[0].reasons, [.addressIsOnlyClaimed])
        XCTAssertEqual(previews[0], previews[1])
    }

    /// Where a number does not open an account that has factors, only who has the number is told.
    func testAskingForDigitsTellsNobodyOfAFactor() async throws {
        policy.phoneWithFactors = .refused
        let ann = try await signUpProvenAnn()
        try await ann.link(with: digits(to: number, from: seat()))
        try await enrollTOTP(ann)
        let phone = try await digits(to: number, from: seat("stranger"))
        try await refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) {
            try await seat("stranger").signIn(with: phone)
        }
    }
}
