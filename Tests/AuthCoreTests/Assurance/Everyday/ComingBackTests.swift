@testable import AuthCore
import AuthCoreTesting
import XCTest

/// People who come back another way than they came.
final class ComingBackTests: LimitedTestCase {
    private var world = World(.standard)
    private var prompts = Prompts()

    func testPasswordOnTheLaptopLinkOnThePhoneThenGoogleInTheSameSitting() async throws {
        let laptop = world.device("laptop")
        let ann = try await world.signUpAnn(laptop)
        try await ann.sendEmailVerification()
        try await world.device("phone").applyActionCode(try world.newestCode(to: "ann@example.com"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
        try await ann.link(with: world.google(.ann, world.work))
        try await world.assertOpens(world.google(.ann, world.work), ann)
        try await world.assertOpens(World.annsPassword, ann)
    }

    func testPasswordOnTheLaptopLinkOnThePhoneThenGoogleAnotherDay() async throws {
        let laptop = world.device("laptop")
        let ann = try await world.signUpAnn(laptop)
        try await ann.sendEmailVerification()
        try await world.device("phone").applyActionCode(try world.newestCode(to: "ann@example.com"))
        prompts = Prompts()
        try await ann.reload()
        world.clock.advance(by: .seconds(10 * world.day))
        try await laptop.signOut()
        let back = try await world.tap(world.google(.ann, world.work), in: laptop) {
            prompts.asked(.password, for: World.annsPassword)
        }
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertEqual(prompts.all, [.password])
        try await world.assertOpens(world.google(.ann, world.work), ann)
    }

    func testALinkOnThePhoneEndsWhoeverElseIsSignedIn() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        let other = try await world.device("desk").signIn(with: World.annsPassword).user
        try await ann.sendEmailVerification()
        try await world.device("phone").applyActionCode(try world.newestCode(to: "ann@example.com"))
        try await ann.reload()
        try await world.refusal(.userTokenExpired) { try await other.reload() }
    }

    func testPasswordAndLinkInOneBrowserThenGoogleWithoutAQuestion() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * world.day))
        let back = try await world.device("tablet").signIn(with: world.google(.ann, world.work)).user
        XCTAssertEqual(back.uid, ann.uid)
        try await world.assertOpens(World.annsPassword, ann)
    }

    func testFacebookTodayAndGoogleTomorrow() async throws {
        for word in [SimulatedToken(), world.work] {
            world.startOver(.standard)
            prompts = Prompts()
            let ann = try await world.device().signIn(with: world.facebook()).user
            world.clock.advance(by: .seconds(world.day))
            let back = try await world.tap(world.google(.ann, word), in: world.device("tablet")) {
                prompts.asked(.provider(.facebook), for: world.facebook())
            }
            XCTAssertEqual(back.uid, ann.uid)
            XCTAssertEqual(prompts.all, [.provider(.facebook)])
            try await world.assertOpens(world.google(.ann, word), ann)
            try await world.assertOpens(world.facebook(), ann)
        }
    }

    func testMailedLinksOnlyOnTwoDevicesThenGoogle() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        let laptop = world.device("laptop")
        let same = try await laptop.signIn(with: world.mailedLink(to: "ann@example.com", from: laptop)).user
        XCTAssertEqual(same.uid, ann.uid)
        try await ann.reload()
        world.clock.advance(by: .seconds(40 * world.day))
        let back = try await world.device("tablet").signIn(with: world.google(.ann, world.work)).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testForgottenPassword() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ann, world.work))
        world.clock.advance(by: .seconds(100 * world.day))
        try await world.device("laptop").sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        let report = try await world.device("laptop").confirmPasswordReset(code: code, newPassword: "one that I keep")
        XCTAssertEqual(report.suspended, [])
        let word = AuthCredential.password(email: "ann@example.com", password: "one that I keep")
        try await world.assertOpens(word, ann)
        try await world.assertOpens(world.google(.ann, world.work), ann)
        try await world.refusal(.invalidCredential) { try await world.device("x").signIn(with: World.annsPassword) }
    }

    func testApplesPrivateRelay() async throws {
        let hidden = SimulatedPerson.ann.with(email: "abc123@privaterelay.appleid.com")
        let apple = AuthCredential.simulated(.apple, hidden, at: world.clock.now)
        let ann = try await world.device().signIn(with: apple).user
        XCTAssertEqual(ann.email, "abc123@privaterelay.appleid.com")
        XCTAssertTrue(ann.isEmailVerified)
        let auth = world.device("tablet")
        let byLink = try await auth.signIn(with: world.mailedLink(to: "abc123@privaterelay.appleid.com", from: auth))
            .user
        XCTAssertEqual(byLink.uid, ann.uid)
        // Without Apple nothing that is mailed there arrives, so Apple cannot go.
        try await world.refusal(.lastMethod) { try await byLink.unlink(.apple) }
        try await byLink.link(with: world.google(.ann, world.work))
        try await byLink.unlink(.apple)
        try await world.assertOpens(world.google(.ann, world.work), ann)
    }

    func testTwoDevicesAndOneOfThemLost() async throws {
        let phone = try await world.signUpVerifiedAnn(world.device("phone"))
        let laptop = try await world.device("laptop").signIn(with: World.annsPassword).user
        try await phone.reload()
        let lost = try await laptop.sessions().first { $0.deviceName == "phone" }
        try await laptop.revokeSession(try XCTUnwrap(lost?.id))
        try await world.refusal(.userTokenExpired) { try await phone.reload() }
        try await laptop.reload()
    }
}
