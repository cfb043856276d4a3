@testable import AuthCore
import AuthCoreTesting
import XCTest

/// People who come back another way than they came.
final class ComingBackTests: EverydayTestCase {
    func testPasswordOnTheLaptopLinkOnThePhoneThenGoogleInTheSameSitting() async throws {
        let laptop = seat("laptop")
        let ann = try await signUpAnn(laptop)
        try await ann.sendEmailVerification()
        try await seat("phone").applyActionCode(try newestCode(to: "ann@example.com"))
        countFromHere()
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
        try await ann.link(with: google(.ann, work))
        XCTAssertEqual(prompts, [])
        try await assertOpens(google(.ann, work), ann)
        try await assertOpens(Self.annsPassword, ann)
    }

    func testPasswordOnTheLaptopLinkOnThePhoneThenGoogleAnotherDay() async throws {
        let laptop = seat("laptop")
        let ann = try await signUpAnn(laptop)
        try await ann.sendEmailVerification()
        try await seat("phone").applyActionCode(try newestCode(to: "ann@example.com"))
        countFromHere()
        try await ann.reload()
        clock.advance(by: 10 * day)
        try await laptop.signOut()
        let back = try await tap(google(.ann, work), in: laptop) { asked(.password, for: Self.annsPassword) }
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertEqual(prompts, [.password])
        try await assertOpens(google(.ann, work), ann)
    }

    func testALinkOnThePhoneEndsWhoeverElseIsSignedIn() async throws {
        let ann = try await signUpAnn(seat("laptop"))
        let other = try await seat("desk").signIn(with: Self.annsPassword).user
        try await ann.sendEmailVerification()
        try await seat("phone").applyActionCode(try newestCode(to: "ann@example.com"))
        try await ann.reload()
        try await refusal(.userTokenExpired) { try await other.reload() }
    }

    func testPasswordAndLinkInOneBrowserThenGoogleWithoutAQuestion() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 30 * day)
        let back = try await seat("tablet").signIn(with: google(.ann, work)).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertEqual(prompts, [])
        try await assertOpens(Self.annsPassword, ann)
    }

    func testFacebookTodayAndGoogleTomorrow() async throws {
        for word in [SimulatedToken(), work] {
            startOver(.standard)
            countFromHere()
            let ann = try await seat().signIn(with: facebook()).user
            clock.advance(by: day)
            let back = try await tap(google(.ann, word), in: seat("tablet")) {
                asked(.provider(.facebook), for: facebook())
            }
            XCTAssertEqual(back.uid, ann.uid)
            XCTAssertEqual(prompts, [.provider(.facebook)])
            try await assertOpens(google(.ann, word), ann)
            try await assertOpens(facebook(), ann)
        }
    }

    func testMailedLinksOnlyOnTwoDevicesThenGoogle() async throws {
        let phone = seat("phone")
        let ann = try await phone.signIn(with: mailedLink(to: "ann@example.com", from: phone)).user
        let laptop = seat("laptop")
        let same = try await laptop.signIn(with: mailedLink(to: "ann@example.com", from: laptop)).user
        XCTAssertEqual(same.uid, ann.uid)
        try await ann.reload()
        clock.advance(by: 40 * day)
        let back = try await seat("tablet").signIn(with: google(.ann, work)).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertEqual(prompts, [])
    }

    func testForgottenPassword() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: google(.ann, work))
        clock.advance(by: 100 * day)
        try await seat("laptop").sendPasswordReset(to: "ann@example.com")
        let code = try newestCode(to: "ann@example.com")
        let report = try await seat("laptop").confirmPasswordReset(code: code, newPassword: "one that I keep")
        XCTAssertEqual(report.suspended, [])
        let word = AuthCredential.password(email: "ann@example.com", password: "one that I keep")
        try await assertOpens(word, ann)
        try await assertOpens(google(.ann, work), ann)
        try await refusal(.invalidCredential) { try await seat("x").signIn(with: Self.annsPassword) }
    }

    func testApplesPrivateRelay() async throws {
        let hidden = SimulatedPerson.ann.with(email: "abc123@privaterelay.appleid.com")
        let apple = AuthCredential.simulated(.apple, hidden, at: clock.now)
        let ann = try await seat().signIn(with: apple).user
        XCTAssertEqual(ann.email, "abc123@privaterelay.appleid.com")
        XCTAssertTrue(ann.isEmailVerified)
        let auth = seat("tablet")
        let byLink = try await auth.signIn(with: mailedLink(to: "abc123@privaterelay.appleid.com", from: auth)).user
        XCTAssertEqual(byLink.uid, ann.uid)
        // Without Apple nothing that is mailed there arrives, so Apple cannot go.
        try await refusal(.lastMethod) { try await byLink.unlink(.apple) }
        try await byLink.link(with: google(.ann, work))
        try await byLink.unlink(.apple)
        try await assertOpens(google(.ann, work), ann)
    }

    func testTwoDevicesAndOneOfThemLost() async throws {
        let phone = try await signUpProvenAnn(seat("phone"))
        let laptop = try await seat("laptop").signIn(with: Self.annsPassword).user
        try await phone.reload()
        let lost = try await laptop.sessions().first { $0.device == "phone" }
        try await laptop.revokeSession(try XCTUnwrap(lost?.id))
        try await refusal(.userTokenExpired) { try await phone.reload() }
        try await laptop.reload()
        XCTAssertEqual(prompts, [])
    }
}
