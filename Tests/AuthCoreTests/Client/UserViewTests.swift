import AuthCoreTesting
import XCTest

@testable import AuthCore

/// What a user object shows after answers of the service.
final class UserViewTests: LimitedTestCase {
    private let world = World(.standard)

    func testAUserHasThePasswordAndTheClaimsOfItsAccount() async throws {
        let ann = try await world.signUpVerifiedAnn()
        XCTAssertTrue(ann.hasPassword, "after a sign-up with a password")
        XCTAssertEqual(ann.customClaims, [:])
        try await world.service.setCustomClaims(["role": "captain"], account: ann.accountID)
        try await ann.reload()
        XCTAssertEqual(ann.customClaims, ["role": "captain"])
        let ben = try await world.signInByMail("ben@example.com", "ben")
        XCTAssertEqual(ben.providerData.map(\.provider), [.password], "what mailed links are listed under")
        XCTAssertFalse(ben.hasPassword, "mailed links are no password")
    }

    /// Two changes are committed one after the other, and the answer to the first comes last.
    func testAnOlderAnswerReplacesNoNewerView() async throws {
        let user = try await world.signUpAnn()
        let gate = Gate()
        world.store.script(.commit, [.waitsAfterwards(gate)])
        async let older: Void = user.updateProfile(displayName: .set("older"))
        await gate.waitForArrivals()
        try await user.updateProfile(displayName: .set("newer"))
        XCTAssertEqual(user.displayName, "newer")
        gate.open()
        try await older
        XCTAssertEqual(user.displayName, "newer", "the answer to the older change came last")
    }

    /// A user who was made from a token is refused with every rotation of the session but the newest.
    func testAnOlderAnswerReplacesNoNewerRotationOfTheSession() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let user = try await world.service.client().user(forIDToken: ann.idToken())
        let before = user.session.rotation
        let gate = Gate()
        world.store.script(.load, [.waitsAfterwards(gate)])
        async let older: Void = user.reload()
        await gate.waitForArrivals()
        try await user.reauthenticate(with: World.annsPassword)
        let newer = user.session.rotation
        XCTAssertGreaterThan(newer, before, "a reauthentication makes a new rotation")
        gate.open()
        try await older
        XCTAssertEqual(user.session.rotation, newer, "an older answer replaced the newer rotation")
        let refusal = await outcome { try await user.updateProfile(displayName: .set("Ann")) }
        XCTAssertNil(refusal, "the user acts with a rotation that is refused")
    }

    /// The change of the name began first and is committed last; only the reauthentication makes a rotation.
    func testAChangeThatAReauthenticationOvertookIsShown() async throws {
        try await inTime { [world] in
            let user = try await world.signUpVerifiedAnn()
            let before = user.session.rotation
            let gate = Gate()
            world.store.script(.commit, .waitsBefore(gate))
            async let change: Void = user.updateProfile(displayName: .set("Ann"))
            await gate.waitForArrivals()
            world.clock.advance(by: .seconds(60))
            try await user.reauthenticate(with: World.annsPassword)
            let newer = user.session.rotation
            XCTAssertGreaterThan(newer, before, "a reauthentication makes a new rotation")
            _ = try await user.idToken()
            gate.open()
            try await change
            XCTAssertEqual(user.displayName, "Ann", "the change succeeded, and the user does not show it")
            XCTAssertEqual(user.session.rotation, newer, "an older answer replaced the newer rotation")
            XCTAssertEqual(user.metadata.lastSignInDate, world.clock.now, "the last sign-in, after a login")
            let claims = try await user.idTokenResult().claims
            XCTAssertEqual(claims["name"], "Ann", "a token from before the change was handed out after it")
        }
    }

    /// A user who was made from a token is refused with every rotation of the session but the newest.
    func testAReauthenticationWhoseAnswerAChangeOvertookIsTakenOver() async throws {
        try await inTime { [world] in
            let ann = try await world.signUpVerifiedAnn()
            let user = try await world.service.client().user(forIDToken: ann.idToken())
            let before = user.session.rotation
            let (change, answer) = (Gate(), Gate())
            world.store.script(.commit, .waitsBefore(change), .waitsAfterwards(answer))
            async let renaming: Void = user.updateProfile(displayName: .set("Ann"))
            await change.waitForArrivals()
            world.clock.advance(by: .seconds(60))
            async let reauthentication = user.reauthenticate(with: World.annsPassword)
            await answer.waitForArrivals()
            change.open()
            try await renaming
            XCTAssertEqual(user.session.rotation, before, "the answer with the new rotation came too early")
            answer.open()
            _ = try await reauthentication
            XCTAssertGreaterThan(user.session.rotation, before, "the user keeps the rotation from before")
            XCTAssertEqual(user.displayName, "Ann", "an older answer replaced the newer account")
            XCTAssertEqual(user.metadata.lastSignInDate, world.clock.now, "the last sign-in, after a login")
            let refusal = await outcome { try await user.reload() }
            XCTAssertNil(refusal, "the user acts with a rotation that is refused")
        }
    }

    func testAfterAChangeATokenThatWasIssuedBeforeItIsNotHandedOut() async throws {
        let user = try await world.signUpVerifiedAnn()
        let before = try await user.idToken()
        let same = try await user.idToken()
        XCTAssertEqual(same, before, "without a change the token is kept")
        try await user.updateProfile(displayName: .set("Ann"))
        let after = try await user.idTokenResult()
        XCTAssertNotEqual(after.token, before, "a token from before the change")
        XCTAssertEqual(after.claims["name"], "Ann")
    }

    /// The account stays as it is; the service refuses a token of the rotation before.
    func testAfterAReauthenticationATokenThatWasIssuedBeforeItIsNotHandedOut() async throws {
        let user = try await world.signUpVerifiedAnn()
        try await user.reauthenticate(with: World.annsPassword)
        let before = try await user.idToken()
        let version = user.account.version
        world.clock.advance(by: .seconds(60))
        try await user.reauthenticate(with: World.annsPassword)
        XCTAssertEqual(user.account.version, version, "the reauthentication changed the account")
        let after = try await user.idTokenResult()
        XCTAssertNotEqual(after.token, before, "the token from before the reauthentication")
        XCTAssertEqual(after.authDate, world.clock.now, "the login that the token tells of")
    }

    func testTheLastSignInIsThatOnAnyDevice() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(86400))
        try await world.device("tablet").signIn(with: World.annsPassword)
        try await ann.reload()
        XCTAssertEqual(ann.metadata.lastSignInDate, world.clock.now, "the last sign-in, after one elsewhere")
    }

    /// Only what shows a credential is one.
    func testAChangeThatIsNoLoginIsNoSignIn() async throws {
        let ann = try await world.signUpAnn()
        let before = world.clock.now
        let changes: [(String, () async throws -> Void)] = [
            (
                "a mailed code",
                { [world] in
                    try await ann.sendEmailVerification()
                    try await ann.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
                }
            ),
            ("a name", { try await ann.updateProfile(displayName: .set("Ann")) }),
            ("an app", { [world] in try await world.enrollTOTP(ann) }),
            ("new tokens", { _ = try await ann.issueTokens() }),
        ]
        for (name, change) in changes {
            world.clock.advance(by: .seconds(60))
            try await change()
            XCTAssertEqual(ann.metadata.lastSignInDate, before, "the last sign-in, after \(name)")
        }
    }

    func testAnAccountIsAsOldAsItWasAtItsNextSignIn() async throws {
        let world = World()
        let first = try await world.signUpAnn()
        world.clock.advance(by: .seconds(100))
        let metadata = try await world.device("tablet").signIn(with: World.annsPassword).user.metadata
        XCTAssertEqual(metadata.creationDate, first.metadata.creationDate, "when the account was made")
        XCTAssertEqual(metadata.lastSignInDate, world.clock.now, "the last sign-in")
    }
}
