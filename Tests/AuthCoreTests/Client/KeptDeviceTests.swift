import AuthCoreTesting
import XCTest

@testable import AuthCore

/// What a device got meanwhile is kept when an answer that began before it arrives.
final class KeptDeviceTests: LimitedTestCase {
    private let world = World(.standard)

    func testADeviceKeepsWhatItGotElsewhereWhenTheUserGetsAnother() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device("phone")
        let guest = try await auth.signInAnonymously().user
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        let report = try await auth.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        let known = try XCTUnwrap(report.device?.key)
        XCTAssertTrue(auth.device.keys.contains(known))
        XCTAssertEqual(guest.device, auth.device, "the device on which the current user goes on")
        try await guest.link(with: world.google(.ben))
        XCTAssertTrue(auth.device.keys.contains(known), "the device lost the secret by which Ann's account knows it")
    }

    func testALaunchThatEndsLateKeepsTheDeviceOnWhichAPasswordWasSetMeanwhile() async throws {
        try await inTime { [world] in
            let ann = try await world.signUpVerifiedAnn(world.device("laptop"))
            let place = SlowReading(device: world.device("saved").device)
            let auth = world.device("tablet", persistence: place)
            async let restored = auth.restore()
            await place.gate.waitForArrivals()
            try await auth.sendPasswordReset(to: "ann@example.com")
            let code = try world.code(.resetPassword, to: "ann@example.com")
            async let report = auth.confirmPasswordReset(code: code, newPassword: "anns own word")
            // The reset has changed the device, and looks for what is saved, too.
            await place.gate.waitForArrivals(2)
            place.gate.open()
            _ = try await (restored, report)
            let account = try await world.account(ann)
            XCTAssertNotNil(account.keyForPasswords(of: auth.device), "the account does not know the device any more")
            XCTAssertTrue(auth.device.keys.contains(place.device.key), "what the saved device had")
        }
    }

    func testASignInThatEndsLateKeepsTheDeviceOnWhichAPasswordWasSetMeanwhile() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await world.signUp("ben@example.com", in: world.device("desk"))
        let auth = world.device("tablet")
        let ben = AuthCredential.password(email: "ben@example.com", password: World.password)
        // The sign-in began with the device as it was, and its answer comes last.
        let inFlight = try await auth.client.signIn(with: ben)
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(
            code: world.code(.resetPassword, to: "ann@example.com"),
            newPassword: "anns own word"
        )
        var account = try await world.account(ann)
        XCTAssertNotNil(account.keyForPasswords(of: auth.device))
        _ = await auth.setCurrentUser(inFlight)
        account = try await world.account(ann)
        XCTAssertNotNil(account.keyForPasswords(of: auth.device), "the account does not know the device any more")
        XCTAssertEqual(auth.currentUser?.device, auth.device, "the device on which the current user goes on")
    }

    /// Digits are bound to the secret that the device had when they were sent.
    func testAPasswordResetThatEndsLateKeepsTheDeviceToWhichDigitsWereSentMeanwhile() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device("tablet")
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        // The reset began with the device as it was, and its answer comes last.
        let inFlight = try await auth.client.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        try await auth.signIn(with: world.google(.ben))
        let digits = try await world.digits(to: world.number, from: auth)
        await auth.use(try XCTUnwrap(inFlight.device))
        let refusal = await outcome { try await auth.signIn(with: digits) }
        XCTAssertNil(refusal, "the device lost the secret to which the digits are bound")
    }

    func testAPasswordResetThatEndsLateKeepsTheSecretThatTheDeviceUsedMeanwhile() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device("tablet")
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        // The reset replaced the secret, and its answer takes a second.
        let inFlight = try await auth.client.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        world.clock.advance(by: .seconds(1))
        let digits = try await world.digits(to: world.number, from: auth)
        await auth.use(try XCTUnwrap(inFlight.device))
        let refusal = await outcome { try await auth.signIn(with: digits) }
        XCTAssertNil(refusal, "the digits were sent when the device still had the secret to which they are bound")
    }

    func testAClientOnANewerDeviceKeepsItsFormerSecrets() {
        let (phone, tablet) = (DeviceID(named: "phone"), DeviceID(named: "tablet"))
        let kept = world.service.client(phone).keeping(tablet, at: world.clock.timestamp).device
        XCTAssertEqual(Array(kept.keys), [tablet.key, phone.key], "the keys of the device, the newest first")
    }

    func testAClientOnANewerDeviceKeepsTheRestOfItsContext() {
        let context = RequestContext(device: "phone", origin: .address("192.0.2.1"), deviceName: "Ann's phone")
        let newer = world.service.client(context).on(DeviceID(named: "tablet")).context
        XCTAssertEqual(newer.device, DeviceID(named: "tablet"), "the device")
        XCTAssertEqual(newer.deviceName, context.deviceName, "the name in the list of sessions")
        XCTAssertEqual(newer.origin, context.origin, "the origin of requests")
    }
}

/// A place that takes its time to read a device until its gate is open.
private struct SlowReading: UserPersistence {
    let device: DeviceID
    let gate = Gate()

    func load() async throws -> Auth.Persisted? {
        await gate.pass()
        return Auth.Persisted(device: device, user: nil)
    }

    func save(_ record: Auth.Persisted) async throws {}
}
