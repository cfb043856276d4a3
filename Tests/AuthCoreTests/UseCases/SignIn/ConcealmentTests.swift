@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S29: what strangers cannot learn.
final class ConcealmentTests: LimitedTestCase {
    private var world = World(.standard)

    override func setUp() {
        super.setUp()
        world.policy.concealsSignUp = true
    }

    private let word = "a word of my own"

    func testSigningUpForATakenAddressLooksLikeSigningUpForAFreeOne() async throws {
        try await world.signUpVerifiedAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = world.device("stranger at \(email)")
            let user = try await auth.signUp(email: email, password: word).user
            XCTAssertEqual(user.email, email)
            XCTAssertFalse(user.isEmailVerified)
            try await auth.signOut()
            let back = try await auth.signIn(with: .password(email: email, password: word))
            XCTAssertEqual(back.user.uid, user.uid)
            try await world.refusal(.invalidCredential, .credentialIsWrong, email) {
                try await world.device("elsewhere").signIn(with: .password(email: email, password: word))
            }
        }
        let ann = try await world.device("tablet").signIn(with: World.annsPassword)
        XCTAssertTrue(ann.user.isEmailVerified)
    }

    func testTheAddressOfAProvisionalAccountIsVerifiedLikeAnyOther() async throws {
        let auth = world.device()
        let user = try await auth.signUp(email: "new@example.com", password: word).user
        try await user.sendEmailVerification()
        try await auth.applyActionCode(try world.newestCode(to: "new@example.com"))
        let elsewhere = try await world.device("elsewhere").signIn(
            with: .password(email: "new@example.com", password: word)
        )
        XCTAssertEqual(elsewhere.user.uid, user.uid)
        let after = try await world.account(user)
        XCTAssertFalse(after.isProvisional)
        XCTAssertTrue(after.reservesEmail)
    }

    func testWhoOpensTheLinkOfAProvisionalAccountAndHasOneAlreadyIsTold() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let auth = world.device("forgetful")
        let second = try await auth.signUp(email: "ann@example.com", password: word).user
        try await second.sendEmailVerification()
        let code = try world.newestCode(to: "ann@example.com")
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await auth.applyActionCode(code) }
        try await ann.reload()
    }

    func testAProofRemovesWhoOnlyReservedTheAddress() async throws {
        world.policy.concealsSignUp = false
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google()).user
        XCTAssertFalse(ann.isEmailVerified)
        let squatter = try await world.device("squatter").signUp(email: "ann@example.com", password: word).user
        try await ann.sendEmailVerification()
        try await auth.applyActionCode(try world.newestCode(to: "ann@example.com"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await world.account(squatter)
        XCTAssertNil(left.email)
        try await world.refusal(.invalidCredential) {
            try await world.device("squatter").signIn(with: .password(email: "ann@example.com", password: word))
        }
    }

    func testWhoSignsUpOnceMoreInTheSameClientGetsTheNewerAccount() async throws {
        try await world.signUpVerifiedAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = world.device("forgetful at \(email)")
            let first = try await auth.signUp(email: email, password: word).user
            let second = try await auth.signUp(email: email, password: "another word of mine").user
            XCTAssertNotEqual(second.uid, first.uid)
            try await auth.signOut()
            let back = try await auth.signIn(with: .password(email: email, password: "another word of mine"))
            XCTAssertEqual(back.user.uid, second.uid)
            try await world.refusal(.invalidCredential, .credentialIsWrong, email) {
                try await auth.signIn(with: .password(email: email, password: word))
            }
        }
    }

    func testAGuestWhoNamesTheAddressOfAnEarlierSignUpInTheSameClientLearnsNothingEither() async throws {
        try await world.signUpVerifiedAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = world.device("forgetful guest at \(email)")
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
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.invalidCredential, .credentialIsWrong) {
            try await world.device("x").signIn(with: .password(email: "ann@example.com", password: "not the word"))
        }
        try await world.refusal(.userDisabled) { try await world.device("x").signIn(with: World.annsPassword) }
    }

    func testHowOneSignsInIsMailedAndToldNobody() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.google())
        for email in ["ann@example.com", "nobody@example.com"] {
            let before = try await world.service.accounts(limit: .max)
            try await world.device("stranger").sendSignInMethods(to: email)
            let after = try await world.service.accounts(limit: .max)
            XCTAssertEqual(before, after)
        }
        let told = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .signInMethods))
        XCTAssertEqual(told.signInMethods, [.password, .google])
        XCTAssertEqual(told.code, "")
        XCTAssertNil(told.link)
        let other = try XCTUnwrap(world.outbox.last(to: "nobody@example.com", .signInMethods))
        XCTAssertEqual(other.signInMethods, [])
    }

    func testHowOneSignsInIsMailedToWhoOnlyShowsTheAddress() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        XCTAssertFalse(ann.isEmailVerified)
        try await world.device("stranger").sendSignInMethods(to: "ann@example.com")
        XCTAssertEqual(world.outbox.last(to: "ann@example.com", .signInMethods)?.signInMethods, [.facebook])
    }

    func testAResetListsWhatBecameOfTheOtherWaysIn() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.gitHub(.eve))
        try await auth.sendPasswordReset(to: "ann@example.com")
        let report = try await auth.confirmPasswordReset(
            code: try world.newestCode(to: "ann@example.com"),
            newPassword: word
        )
        XCTAssertEqual(report.account.text, ann.uid)
        XCTAssertEqual(report.usable.map(\.provider), [.password])
        XCTAssertEqual(report.suspended.map(\.provider), [.gitHub])
        XCTAssertEqual(report.removed, [])
    }

    func testAnAnonymousClientThatNamesAnAddressLearnsNothingEither() async throws {
        try await world.signUpVerifiedAnn()
        for email in ["ann@example.com", "free@example.com"] {
            let auth = world.device("guest at \(email)")
            let guest = try await auth.signInAnonymously().user
            try await guest.link(with: .password(email: email, password: word))
            XCTAssertEqual(guest.email, email)
            XCTAssertFalse(guest.isEmailVerified)
            try await auth.signOut()
            let back = try await auth.signIn(with: .password(email: email, password: word))
            XCTAssertEqual(back.user.uid, guest.uid)
            try await world.refusal(.invalidCredential, .credentialIsWrong, email) {
                try await world.device("elsewhere").signIn(with: .password(email: email, password: word))
            }
        }
        try await world.device("tablet").signIn(with: World.annsPassword)
    }

    func testAPreviewOfAnAddressThatIsOnlyClaimedTellsNobodyWhetherItHasAnAccount() async throws {
        try await world.signUpVerifiedAnn()
        var previews: [Preview] = []
        for email in ["ann@example.com", "free@example.com"] {
            let claim = SimulatedToken(email: .text(email), address: .unverified)
            let auth = world.device("stranger at \(email)")
            let verified = try await auth.verify(.simulated(.gitHub, .eve, saying: claim, at: world.clock.now))
            previews.append(try await auth.previewSignIn(with: verified))
        }
        XCTAssertEqual(previews[0].answer, .succeeds)
        XCTAssertEqual(previews[0].reasons, [.addressIsOnlyClaimed])
        XCTAssertEqual(previews[0], previews[1])
    }

    /// Where a number does not open an account that has factors, only who has the number is told.
    func testAskingForDigitsTellsNobodyOfAFactor() async throws {
        world.policy.phoneWithFactors = .refused
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        try await world.enrollTOTP(ann)
        let phone = try await world.digits(to: world.number, from: world.device("stranger"))
        try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) {
            try await world.device("stranger").signIn(with: phone)
        }
    }
}
