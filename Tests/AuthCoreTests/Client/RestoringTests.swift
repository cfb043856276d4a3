@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is saved of who is signed in, and what a launch makes of it.
final class RestoringTests: LimitedTestCase {
    private let world = World(.standard)
    private let place = MemoryPersistence()

    func testAStoreThatFailsAtALaunchForgetsNobody() async throws {
        let user = try await world.device(persistence: place).signInAnonymously().user
        let saved = place.saved
        let relaunched = world.device(persistence: place)
        world.store.script(.load, .failsBefore())
        await assertThrows(.storeUnavailable) { try await relaunched.restore() }
        XCTAssertEqual(place.saved, saved, "what is saved after a launch without the store")
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, user.uid, "the next attempt")
        XCTAssertEqual(relaunched.currentUser?.uid, user.uid)
    }

    func testALaunchTellsItsObserversWhoIsSignedIn() async throws {
        try await inTime { [world, place] in
            let user = try await world.device(persistence: place).signInAnonymously().user
            let relaunched = world.device(persistence: place)
            var changes = relaunched.changes().makeAsyncIterator()
            guard case .current(nil)? = await changes.next() else { return XCTFail("there is a user at first") }
            let restored = try await relaunched.restore()
            guard case .signedIn(let announced)? = await changes.next() else {
                return XCTFail("the restored user was not announced")
            }
            XCTAssertIdentical(announced, restored, "the user who was announced")
            XCTAssertEqual(announced.uid, user.uid)
        }
    }

    /// Another account learns the device while the saved session is read; the restored user has its new secret, too.
    func testADeviceThatBecomesKnownDuringALaunchIsTheRestoredUsers() async throws {
        let (world, gate) = (world, Gate())
        try await world.signUpVerifiedAnn(world.device("elsewhere"))
        try await world.device(persistence: place).signInAnonymously()
        let auth = world.device(persistence: place)
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        world.store.script(.load, [.waitsBefore(gate)])
        async let restoring = auth.restore()
        await gate.waitForArrivals()
        try await auth.confirmPasswordReset(code: code, newPassword: "another horse battery")
        gate.open()
        let user = try await restoring
        XCTAssertEqual(user?.device, auth.device, "the device of the restored user")
    }

    func testADeviceThatBecomesKnownIsSavedBesideTheUser() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device(persistence: place)
        let guest = try await auth.signInAnonymously().user
        let before = auth.device
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await auth.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        XCTAssertNotEqual(auth.device, before, "the device has a secret of the account that was recovered")
        XCTAssertEqual(place.saved?.device, auth.device, "the device that is saved")
        XCTAssertEqual(place.saved?.user?.session, guest.session.id, "the user who is saved")
    }

    /// An app that a reset link opens.
    private func reset(_ auth: Auth) async throws {
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await auth.confirmPasswordReset(code: code, newPassword: "a fresh new word")
    }

    func testAResetBeforeALaunchHasRestoredAUserForgetsNeitherTheUserNorTheDevice() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device(persistence: place)
        let guest = try await auth.signInAnonymously().user
        let relaunched = Auth(service: world.service, persistence: place)
        try await reset(relaunched)
        XCTAssertEqual(place.saved?.user?.session, guest.session.id, "the user who is saved")
        let fresh = relaunched.device.key
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, guest.uid, "the user of the launch")
        XCTAssertTrue(relaunched.device.keys.contains(auth.device.key), "the secret that was saved")
        XCTAssertTrue(relaunched.device.keys.contains(fresh), "the secret of the account that was recovered")
        let next = Auth(service: world.service, persistence: place)
        try await next.restore()
        XCTAssertEqual(next.device.key, fresh, "the secret that the next launch has first")
    }

    func testAResetAfterALaunchThatCouldNotReadTheStoreForgetsNoUser() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let guest = try await world.device(persistence: place).signInAnonymously().user
        let relaunched = world.device(persistence: place)
        world.store.script(.load, .failsBefore())
        await assertThrows(.storeUnavailable) { try await relaunched.restore() }
        try await reset(relaunched)
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, guest.uid, "the next attempt")
    }

    func testAResetOverwritesNoUserWhoCannotBeReadNow() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let guest = try await world.device(persistence: place).signInAnonymously().user
        let relaunched = world.device(persistence: place)
        place.isUnreadable = true
        try await reset(relaunched)
        let secret = relaunched.device.key
        place.isUnreadable = false
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, guest.uid, "the launch after the place could be read again")
        XCTAssertTrue(relaunched.device.keys.contains(secret), "the secret that the account knows since the reset")
        XCTAssertEqual(place.saved?.device.keys.contains(secret), true, "the secret is saved now")
    }

    /// What is saved is of an earlier launch, since the sign-in could not be saved.
    func testACurrentUserWhoCouldNotBeSavedStaysWhenTheSavedOneIsRead() async throws {
        for isSavedSessionOver in [false, true] {
            let place = MemoryPersistence()
            let guest = try await Auth(service: world.service, persistence: place).signInAnonymously().user
            let auth = Auth(service: world.service, persistence: place)
            place.failingSaves = 2
            let ben = try await auth.signIn(with: world.gitHub(.ben)).user
            XCTAssertEqual(place.saved?.user?.account, guest.accountID, "nothing could be saved")
            if isSavedSessionOver { try await world.service.deleteAccount(guest.accountID) }
            let restored = try await auth.restore()
            XCTAssertIdentical(restored, ben, "the user that the call returns")
            XCTAssertIdentical(auth.currentUser, ben, "the current user")
            try await ben.reload()
        }
    }

    func testASignInIsSavedThoughTheUserBeforeCannotBeRead() async throws {
        let auth = world.device(persistence: place)
        place.isUnreadable = true
        let user = try await auth.signInAnonymously().user
        XCTAssertEqual(place.saved?.user?.account, user.accountID, "the user who is saved")
        place.isUnreadable = false
        let restored = try await world.device(persistence: place).restore()
        XCTAssertEqual(restored?.uid, user.uid, "the user of the next launch")
    }

    func testASecretThatCannotBeSavedSignsNoUserOut() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device(persistence: place)
        let guest = try await auth.signInAnonymously().user
        place.failingSaves = 1
        try await reset(auth)
        XCTAssertEqual(place.failingSaves, 0, "saves that could still fail")
        let restored = try await world.device(persistence: place).restore()
        XCTAssertEqual(restored?.uid, guest.uid, "the user who was saved before")
    }

    func testASessionThatEndedElsewhereIsNotSavedAnyMore() async throws {
        let auth = world.device(persistence: place)
        let user = try await auth.signInAnonymously().user
        try await world.service.deleteAccount(user.account.id)
        let relaunched = world.device(persistence: place)
        let restored = try await relaunched.restore()
        XCTAssertNil(restored)
        XCTAssertNotNil(place.saved, "the device is kept")
        XCTAssertNil(place.saved?.user, "the user of the ended session is saved")
    }

    /// What is saved of them may be read before it is written.
    func testARestoreDoesNotReplaceAUserWhoIsStillBeingSaved() async throws {
        try await world.device(persistence: place).signInAnonymously()
        let gate = Gate()
        place.gate = gate
        let auth = world.device(persistence: place)
        let credential = world.gitHub(.ben)
        async let signIn = auth.signIn(with: credential)
        await gate.waitForArrivals(1)
        let ben = try XCTUnwrap(auth.currentUser)
        async let restoring = auth.restore()
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        _ = try await (signIn, restoring)
        XCTAssertEqual(auth.currentUser?.uid, ben.uid, "the user who was signed in before is current again")
        XCTAssertEqual(place.saved?.user?.account, ben.account.id, "the user who is saved")
    }

    func testARestoreDoesNotReplaceAUserWhoSignsInWhileItWaits() async throws {
        let gate = Gate()
        place.gate = gate
        let auth = world.device(persistence: place)
        let (ben, eve) = (world.gitHub(.ben), world.gitHub(.eve))
        async let first = auth.signIn(with: ben)
        await gate.waitForArrivals(1)
        async let restoring = auth.restore()
        for _ in 0..<100 { await Task.yield() }
        async let second = auth.signIn(with: eve)
        await wait(for: "the second user becomes the current one") {
            auth.currentUser?.email != SimulatedPerson.ben.email
        }
        let last = try XCTUnwrap(auth.currentUser)
        gate.open()
        _ = try await (first, restoring, second)
        XCTAssertIdentical(auth.currentUser, last, "the user who signed in last")
    }

    func testARestoreWithoutASavedUserKeepsTheCurrentOne() async throws {
        let device = Auth.Persisted(device: DeviceID(named: "phone"), user: nil)
        let places: [(String, (any UserPersistence)?)] = [
            ("no place", nil), ("an empty place", ReadOnlyPersistence(record: nil)),
            ("a device alone", ReadOnlyPersistence(record: device)),
        ]
        for (what, place) in places {
            let auth = Auth(service: world.service, persistence: place)
            let user = try await auth.signInAnonymously().user
            let restored = try await auth.restore()
            XCTAssertIdentical(restored, user, "the answer with \(what)")
            XCTAssertIdentical(auth.currentUser, user, "the current user with \(what)")
        }
    }

    /// The ID of a session alone restores nothing.
    func testASessionOfAnotherDeviceIsNotRestored() async throws {
        let ann = world.device("phone", persistence: place)
        try await ann.signInAnonymously()
        let saved = try XCTUnwrap(place.saved)
        let copied = MemoryPersistence(Auth.Persisted(device: world.device("eve's").device, user: saved.user))
        let eve = world.device("eve's", persistence: copied)
        let restored = try await eve.restore()
        XCTAssertNil(restored, "a session with the device of somebody else")
        XCTAssertNil(eve.currentUser)
    }
}

/// A place to which nothing is written.
private struct ReadOnlyPersistence: UserPersistence {
    let record: Auth.Persisted?

    func load() async throws -> Auth.Persisted? { record }

    func save(_ record: Auth.Persisted) async throws {}
}
