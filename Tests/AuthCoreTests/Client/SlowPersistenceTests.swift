import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// Who is signed in, and who is saved, where a save or a launch takes its time.
final class SlowPersistenceTests: LimitedTestCase {
    private let world = World(.standard)

    func testASlowSaveOfAUserDoesNotReplaceTheLaterSaveOfTheSignOut() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            let auth = world.device(persistence: place)
            async let signIn = auth.signInAnonymously()
            await place.gate.waitForArrivals()
            async let signOut: Void = auth.signOut()
            for _ in 0..<1000 where place.saved.isEmpty { await Task.yield() }
            place.gate.open()
            _ = try await signIn
            try await signOut
            XCTAssertNil(auth.currentUser)
            XCTAssertNotNil(place.saved.last)
            XCTAssertNil(place.saved.last?.user, "the user who signed out was saved after the sign-out")
        }
    }

    func testASaveGoesOnWhereTheCallerIsCanceled() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            let auth = world.device(persistence: place)
            place.gate.open()
            try await auth.signInAnonymously()
            let gate = Gate()
            let signOut = Task {
                await gate.pass()
                try await auth.signOut()
            }
            signOut.cancel()
            gate.open()
            _ = await signOut.result
            XCTAssertNil(auth.currentUser)
            XCTAssertNil(place.saved.last?.user, "the user who signed out is still saved")
        }
    }

    func testAUserWhoSignsInDuringALaunchStaysTheCurrentOne() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            try await world.device("home", persistence: place).signInAnonymously()
            let auth = world.device("home", persistence: place)
            let (answer, ben) = try await auth.restore(in: world) {
                try await auth.signUp(email: "ben@example.com", password: World.password).user
            }
            XCTAssertIdentical(auth.currentUser, ben, "the saved user replaced the one who signed in meanwhile")
            XCTAssertIdentical(answer, ben, "the answer of the launch")
            XCTAssertEqual(place.saved.last?.user?.account, ben.accountID, "the user who is saved")
        }
    }

    func testAUserWhoSignsInDuringALaunchIsNotSignedOutByTheEndOfTheSavedSession() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            let old = try await world.device("home", persistence: place).signInAnonymously().user
            try await world.service.deleteAccount(old.accountID)
            let auth = world.device("home", persistence: place)
            let (_, ben) = try await auth.restore(in: world) {
                try await auth.signUp(email: "ben@example.com", password: World.password).user
            }
            XCTAssertIdentical(auth.currentUser, ben, "the end of the saved session signed another user out")
            XCTAssertEqual(place.saved.last?.user?.account, ben.accountID, "the user who is saved")
        }
    }

    func testASignOutDuringALaunchHoldsBeforeTheSavedUserIsSignedIn() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            let before = world.device("home", persistence: place)
            try await before.signInAnonymously()
            let auth = Auth(service: world.service, persistence: place)
            let (answer, _) = try await auth.restore(in: world) {
                try await auth.signOut()
                XCTAssertNil(place.saved.last?.user, "the user who is saved after the sign-out")
            }
            XCTAssertNil(answer, "the answer of the launch")
            XCTAssertNil(auth.currentUser, "the saved user was signed in after the sign-out")
            XCTAssertNil(place.saved.last?.user, "the user who is saved after the launch")
            XCTAssertEqual(place.saved.last?.device, before.device, "the device that is saved")
        }
    }

    func testAUserWhoSignsInAndOutDuringALaunchIsNotFollowedByTheSavedOne() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            try await world.device("home", persistence: place).signInAnonymously()
            let auth = world.device("home", persistence: place)
            let (answer, _) = try await auth.restore(in: world) {
                try await auth.signInAnonymously()
                try await auth.signOut()
            }
            XCTAssertNil(answer, "the answer of the launch")
            XCTAssertNil(auth.currentUser, "the saved user was signed in after the sign-out")
            XCTAssertNil(place.saved.last?.user, "the user who is saved")
        }
    }

    func testALaunchThatIsCanceledDoesNotCallWhatIsSavedUnreadable() async throws {
        let place = SlowPersistence()
        let auth = world.device("home", persistence: place)
        let gate = Gate()
        let launch = Task {
            await gate.pass()
            return await authError { try await auth.restore() }?.code
        }
        launch.cancel()
        gate.open()
        let code = await launch.value
        XCTAssertEqual(code, .canceled, "an app may remove what cannot be read")
    }

    func testTheCurrentUserLeavesByWhicheverObjectOfItsSessionEndsIt() async throws {
        let place = SlowPersistence()
        place.gate.open()
        try await world.device("home", persistence: place).signInAnonymously()
        let auth = world.device("home", persistence: place)
        let restored = try await auth.restore()
        let first = try XCTUnwrap(restored, "the user was not restored")
        let same = SignedIn(AccountReference(first.account), first.session, lastSignIn: nil)
        let second = User(client: auth.client, signedIn: same)
        _ = await auth.setCurrentUser(
            AuthResult(user: second, isNewUser: false, provider: .anonymous, additionalUserInfo: nil)
        )
        XCTAssertTrue(auth.currentUser === second, "another object of the session is the current user")
        try await first.delete()
        XCTAssertNil(auth.currentUser, "a user whose account the same session deleted")
        XCTAssertNil(place.saved.last?.user, "the user who is saved")
    }
}

/// A place that takes its time for a record with a user, until its gate is open, and heeds cancellation.
private final class SlowPersistence: UserPersistence {
    let gate = Gate()
    private let records = Mutex<[Auth.Persisted]>([])

    var saved: [Auth.Persisted] { records.withLock { $0 } }

    func load() async throws -> Auth.Persisted? {
        try Task.checkCancellation()
        return saved.last
    }

    func save(_ record: Auth.Persisted) async throws {
        if record.user != nil { await gate.pass() }
        try Task.checkCancellation()
        records.withLock { $0.append(record) }
    }
}

extension Auth {
    /// Restores the saved user, and does this while the store is read.
    fileprivate func restore<Value>(
        in world: World,
        while meanwhile: () async throws -> Value
    ) async throws -> (answer: User?, meanwhile: Value) {
        let gate = Gate()
        world.store.script(.load, [.waitsBefore(gate)])
        async let restored = restore()
        await gate.waitForArrivals()
        do {
            let value = try await meanwhile()
            gate.open()
            return (try await restored, value)
        } catch {
            gate.open()
            throw error
        }
    }
}
