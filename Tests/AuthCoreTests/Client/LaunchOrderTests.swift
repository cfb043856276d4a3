@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

private final class KeptPlace: UserPersistence {
    let kept: Mutex<Auth.Persisted?>
    /// What happens while the next load is under way, before it reads.
    let beforeRead = Mutex<(@Sendable () async -> Void)?>(nil)
    /// How often a save lets others go on before it is done.
    let turns = Mutex(0)
    /// How many of the next saves fail.
    let failingSaves = Mutex(0)

    init(_ record: Auth.Persisted?) { kept = Mutex(record) }

    var saved: Auth.Persisted? { kept.withLock { $0 } }

    func load() async throws -> Auth.Persisted? {
        let hook = beforeRead.withLock { hook in
            defer { hook = nil }
            return hook
        }
        await hook?()
        return saved
    }

    func save(_ record: Auth.Persisted) async throws {
        for _ in 0..<turns.withLock(\.self) { await Task.yield() }
        let fails = failingSaves.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        if fails { throw StoreFailure() }
        kept.withLock { $0 = record }
    }
}

/// What becomes of the saved device where something happens before `restore()` was called at all.
final class LaunchOrderTests: LimitedTestCase {
    private let world = World(.standard)

    /// A place that keeps a device which Ann's account knows, and perhaps her session.
    private func knownPlace(signedOut: Bool) async throws -> (place: KeptPlace, ann: Account) {
        try await world.signUpVerifiedAnn(world.device("elsewhere"))
        let place = KeptPlace(nil)
        let auth = Auth(service: world.service, persistence: place)
        try await auth.signIn(with: World.annsPassword)
        if signedOut { try await auth.signOut() }
        let found = try await world.service.account(email: "ann@example.com")
        let ann = try XCTUnwrap(found)
        XCTAssertNotNil(ann.key(of: place.saved?.device), "the device is known at first")
        return (place, ann)
    }

    /// A sign-out removes the session and keeps the device: the account still knows it.
    func testASignOutBeforeTheLaunchHasRestoredKeepsTheSavedDevice() async throws {
        let (place, ann) = try await knownPlace(signedOut: false)
        let relaunched = Auth(service: world.service, persistence: place)
        try await relaunched.signOut()
        XCTAssertNil(place.saved?.user, "the saved user is forgotten")
        XCTAssertNotNil(ann.key(of: place.saved?.device), "the device that is saved after the sign-out")
        let next = Auth(service: world.service, persistence: place)
        try await next.restore()
        XCTAssertNotNil(ann.key(of: next.device), "the device of the next launch")
    }

    /// From then on the app has the device that was saved, in addition to the one that it got meanwhile.
    func testASignInBeforeTheLaunchHasRestoredKeepsTheSavedDevice() async throws {
        let (place, ann) = try await knownPlace(signedOut: true)
        let relaunched = Auth(service: world.service, persistence: place)
        try await relaunched.signInAnonymously()
        try await relaunched.restore()
        XCTAssertNotNil(ann.key(of: relaunched.device), "the device that the app has")
        XCTAssertNotNil(ann.key(of: place.saved?.device), "the device that is saved")
    }

    /// What is saved instead of the user is the device alone.
    func testASignInThatCannotBeSavedBeforeTheLaunchHasRestoredKeepsTheSavedDevice() async throws {
        let (place, ann) = try await knownPlace(signedOut: true)
        let relaunched = Auth(service: world.service, persistence: place)
        place.failingSaves.withLock { $0 = 1 }
        try await relaunched.signInAnonymously()
        XCTAssertEqual(place.failingSaves.withLock(\.self), 0, "saves that could still fail")
        XCTAssertNil(place.saved?.user, "the user who could not be saved")
        XCTAssertNotNil(ann.key(of: place.saved?.device), "the device that is saved after the failure")
    }

    /// The saved user is not restored after the sign-out, and the device stays known.
    func testASignOutWhileTheLaunchReadsKeepsTheSavedDevice() async throws {
        let (place, ann) = try await knownPlace(signedOut: false)
        let relaunched = Auth(service: world.service, persistence: place)
        place.beforeRead.withLock { $0 = { try? await relaunched.signOut() } }
        try await relaunched.restore()
        XCTAssertNil(relaunched.currentUser)
        XCTAssertNil(place.saved?.user, "the saved user is forgotten")
        XCTAssertNotNil(ann.key(of: relaunched.device), "the device that the app has")
        XCTAssertNotNil(ann.key(of: place.saved?.device), "the device that is saved")
    }

    /// The saved user was read, and is not restored: only the launch knows the session, which ends.
    func testASignOutWhileTheSavedUserIsLoadedEndsItsSession() async throws {
        let store = InterveningStore()
        let world = World(.standard) { $0.store = store }
        let place = KeptPlace(nil)
        let auth = Auth(service: world.service, persistence: place)
        let user = try await auth.signInAnonymously().user
        let relaunched = Auth(service: world.service, persistence: place)
        store.afterLoad(1) { try await relaunched.signOut() }
        try await relaunched.restore()
        XCTAssertNil(relaunched.currentUser)
        let seen = try await store.whole.load([.session(user.session.id)])
        XCTAssertNil(seen.session(user.session.id), "the session in the store")
    }

    /// Nor is it left alive where another person signs in after that.
    func testASignOutAndASignInWhileTheSavedUserIsLoadedEndTheSavedSession() async throws {
        let store = InterveningStore()
        let world = World(.standard) { $0.store = store }
        let place = KeptPlace(nil)
        let user = try await Auth(service: world.service, persistence: place).signInAnonymously().user
        let relaunched = Auth(service: world.service, persistence: place)
        store.afterLoad(1) {
            try await relaunched.signOut()
            try await relaunched.signInAnonymously()
        }
        try await relaunched.restore()
        XCTAssertNotNil(relaunched.currentUser, "the person who signed in")
        XCTAssertNotEqual(relaunched.currentUser?.uid, user.uid)
        let seen = try await store.whole.load([.session(user.session.id)])
        XCTAssertNil(seen.session(user.session.id), "the saved session in the store")
    }

    /// The `Auth` itself was not asked to sign out.
    func testASignInAndASignOutOfItsUserWhileTheSavedUserIsLoadedEndTheSavedSession() async throws {
        let store = InterveningStore()
        let world = World(.standard) { $0.store = store }
        let place = KeptPlace(nil)
        let user = try await Auth(service: world.service, persistence: place).signInAnonymously().user
        let relaunched = Auth(service: world.service, persistence: place)
        store.afterLoad(1) { try await relaunched.signInAnonymously().user.signOut() }
        try await relaunched.restore()
        XCTAssertNil(relaunched.currentUser, "a user is signed in after the sign-out")
        let seen = try await store.whole.load([.session(user.session.id)])
        XCTAssertNil(seen.session(user.session.id), "the saved session in the store")
    }

    /// The app may be ended right after that.
    func testAResetHasSavedTheDeviceThatItMadeKnown() async throws {
        let world = World(.standard)
        try await world.signUpVerifiedAnn()
        let place = KeptPlace(nil)
        place.turns.withLock { $0 = 2000 }
        let auth = Auth(service: world.service, persistence: place)
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await auth.confirmPasswordReset(code: code, newPassword: "anns own word")
        XCTAssertEqual(place.saved?.device, auth.device, "the device that the account knows")
    }

    func testALaunchHasSavedThatTheSessionIsOver() async throws {
        let world = World(.standard)
        let place = KeptPlace(nil)
        let user = try await Auth(service: world.service, persistence: place).signInAnonymously().user
        try await world.service.revokeSessions(of: user.accountID)
        place.turns.withLock { $0 = 2000 }
        let relaunched = Auth(service: world.service, persistence: place)
        try await relaunched.restore()
        XCTAssertNil(place.saved?.user, "the next launch finds the session again")
    }

    func testACallThatFindsTheSessionOverHasSavedThat() async throws {
        let place = KeptPlace(nil)
        let auth = Auth(service: world.service, persistence: place)
        let user = try await auth.signInAnonymously().user
        try await world.service.revokeSessions(of: user.accountID)
        place.turns.withLock { $0 = 2000 }
        await assertThrows(.userTokenExpired) { try await user.reload() }
        XCTAssertNil(auth.currentUser, "the user of a session that is over")
        XCTAssertNil(place.saved?.user, "the next launch finds the session again")
    }

    func testASignOutThatTheStoreRefusesHasSavedThatNoUserIsSignedIn() async throws {
        let place = KeptPlace(nil)
        let auth = Auth(service: world.service, persistence: place)
        try await auth.signInAnonymously()
        place.turns.withLock { $0 = 2000 }
        world.store.script(.load, .failsBefore())
        await assertThrows(.storeUnavailable) { try await auth.signOut() }
        XCTAssertNil(place.saved?.user, "the next launch signs the user in again")
    }
}
