@testable import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreFirebase

/// The device that an `Auth` has, and what accounts know of it.
final class DeviceTests: LimitedTestCase {
    /// The device gets a new secret when an account learns it; codes and limits go by that from then on.
    func testADeviceThatBecameKnownByALinkIsTheOneThatAsksForCodes() async throws {
        let world = World(.standard)
        let user = try await world.auth.signInAnonymously().user
        let word = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse battery")
        _ = try await user.link(with: word)
        world.clock.advance(by: .seconds(1))
        _ = try await user.link(with: world.phone("+15550001234", in: world.auth))
        try world.auth.signOut()
        await world.letStrangersGuess()
        let back = try await world.auth.signIn(withEmail: "ann@example.com", password: "correct horse battery")
        XCTAssertEqual(back.user.uid, user.uid)
    }

    /// The device gets a new secret then, too; under its old one it would wait for strangers' guesses.
    func testADeviceOnWhichAPasswordWasSetByMailSignsInWhileStrangersGuess() async throws {
        let world = World(.standard)
        try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse battery")
        world.clock.advance(by: .seconds(1))
        let phone = world.device("phone")
        try await phone.sendPasswordReset(withEmail: "ann@example.com")
        try await phone.confirmPasswordReset(withCode: world.newestCode, newPassword: "another horse battery")
        await world.letStrangersGuess()
        let user = try await phone.signIn(withEmail: "ann@example.com", password: "another horse battery").user
        XCTAssertEqual(user.email, "ann@example.com", "who signs in on the device of the reset")
    }

    /// Digits are sent to the device as it is after the reset, so the current user must have that device, too.
    func testTheCurrentUserHasTheDeviceThatAResetOfAnotherAccountMadeKnown() async throws {
        let world = World(.standard)
        try await world.device("elsewhere").createUser(
            withEmail: "ben@example.com",
            password: "correct horse battery"
        )
        let guest = try await world.auth.signInAnonymously().user
        try await world.auth.sendPasswordReset(withEmail: "ben@example.com")
        try await world.auth.confirmPasswordReset(withCode: world.newestCode, newPassword: "another horse battery")
        XCTAssertEqual(guest.core.device, world.auth.client.device, "the device of the current user")
        let linked = try await guest.link(with: world.phone("+15550001234", in: world.auth)).user
        XCTAssertEqual(linked.phoneNumber, "+15550001234", "the number whose digits were sent after the reset")
    }

    /// A user that signed out has the device as it was then, without the secrets from after it.
    func testADeviceStaysKnownToAnAccountWhenAnotherOneLearnsIt() async throws {
        for isSetAgain in [true, false] {
            let world = World(.standard)
            let word = "correct horse battery"
            let guest = try await world.auth.signInAnonymously().user
            try world.auth.signOut()
            let ann = try await world.auth.createUser(withEmail: "ann@example.com", password: word).user
            XCTAssertNotEqual(guest.core.device, world.auth.client.device, "the test needs a device of before")
            world.clock.advance(by: .seconds(1))
            if isSetAgain { try await world.auth.updateCurrentUser(guest) }
            try await guest.link(with: EmailAuthProvider.credential(withEmail: "ben@example.com", password: word))
            await world.letStrangersGuess()
            let back = try? await world.auth.signIn(withEmail: "ann@example.com", password: word).user
            let what = "who signs in on the device that both accounts know, the guest being set again: \(isSetAgain)"
            XCTAssertEqual(back?.uid, ann.uid, what)
        }
    }

    func testADeviceThatSignedInIsKnownAfterItsSignOut() async throws {
        let world = World(.standard)
        let word = "correct horse battery"
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: word).user
        try await user.sendEmailVerification()
        try await world.auth.applyActionCode(world.newestCode)
        let laptop = world.device("laptop")
        try await laptop.signIn(withEmail: "ann@example.com", password: word)
        try laptop.signOut()
        let stranger = world.device("stranger")
        for number in 0..<20 {
            _ = await failure {
                try await stranger.signIn(withEmail: "ann@example.com", password: "guess number \(number)")
            }
        }
        let error = await failure { try await stranger.signIn(withEmail: "ann@example.com", password: word) }
        let wait = AuthCoreFirebase.AuthErrorCode.tooManyRequests.rawValue
        XCTAssertEqual(error?.code, wait, "the right password on the device of the guesses")
        let back = try await laptop.signIn(withEmail: "ann@example.com", password: word)
        XCTAssertEqual(back.user.uid, user.uid, "who signs in on a known device while strangers guess")
    }

    /// The sign-in began with the device as it was, and its answer comes last.
    func testASignInThatEndsLateHasTheDeviceThatAResetMadeKnown() async throws {
        let world = World(.standard)
        for name in ["ann", "ben"] {
            try await world.device("elsewhere \(name)").createUser(
                withEmail: "\(name)@example.com",
                password: "correct horse battery"
            )
        }
        let auth = world.auth
        let inFlight = try await auth.client.signIn(
            with: .password(email: "ben@example.com", password: "correct horse battery")
        )
        try await auth.sendPasswordReset(withEmail: "ann@example.com")
        try await auth.confirmPasswordReset(withCode: world.newestCode, newPassword: "another horse battery")
        let user = await auth.signedIn(inFlight.user)
        XCTAssertEqual(user.core.device, auth.client.device, "the device of the current user")
    }

    /// The device gets another secret after the sign-in was answered and before its user is the current one.
    @MainActor
    func testASignInHasTheDeviceThatBecameKnownBeforeItsUserWasSet() async throws {
        let store = FaultyStore()
        let world = World(store: store)
        let auth = world.auth
        let answered = try await auth.client.signUp(email: "ann@example.com", password: "correct horse").user
        let gate = Gate()
        store.script(.commit, .waitsBefore(gate))
        let signingIn = Task { [auth] in _ = await auth.signedIn(answered) }
        await gate.waitForArrivals()
        let known = world.service.makeDevice()
        auth.use(known)
        gate.open()
        await signingIn.value
        XCTAssertEqual(auth.currentUser?.core.device, auth.client.device, "the device of the current user")
        XCTAssertEqual(auth.client.device.secrets.first, known.secrets.first, "the current secret of the device")
    }
}
