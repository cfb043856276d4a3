@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a sign-out leaves of who is saved.
final class SavedSignOutTests: LimitedTestCase {
    private let world = World(.standard)
    private let place = MemoryPersistence()

    func testASignOutIsSavedEvenWithoutTheStore() async throws {
        let auth = world.device(persistence: place)
        try await auth.signInAnonymously()
        XCTAssertNotNil(place.saved?.user)
        world.store.script(.commit, .failsBefore(), .failsBefore(), .failsBefore(), .failsBefore())
        await assertThrows(.outcomeUnknown, "a sign-out without the store") { try await auth.signOut() }
        XCTAssertNotNil(place.saved, "the device is kept")
        XCTAssertNil(place.saved?.user, "the user who signed out is saved")
        let restored = try await world.device(persistence: place).restore()
        XCTAssertNil(restored)
    }

    func testASignOutBeforeALaunchHasRestoredAUserForgetsTheSavedOne() async throws {
        try await world.device(persistence: place).signInAnonymously()
        XCTAssertNotNil(place.saved?.user, "the user who is saved at first")
        let relaunched = world.device(persistence: place)
        try await relaunched.signOut()
        XCTAssertNotNil(place.saved, "the device is kept")
        XCTAssertNil(place.saved?.user, "the user who is saved after the sign-out")
        let restored = try await relaunched.restore()
        XCTAssertNil(restored, "a user was restored after the sign-out")
    }

    func testASignOutBeforeALaunchSaysThatTheSavedUserCouldNotBeRemoved() async throws {
        try await world.device(persistence: place).signInAnonymously()
        let relaunched = world.device(persistence: place)
        place.failingSaves = 2
        let error = await authError("by a sign-out that was not saved") { try await relaunched.signOut() }
        XCTAssertEqual(error?.code, .savedSessionUnreadable, "a sign-out that was not saved")
        XCTAssertEqual(
            error?.message,
            "The saved session could not be removed; make its place writable, and sign out again."
        )
        XCTAssertTrue(error?.cause is StoreFailure, "the cause is \(String(describing: error?.cause))")
        try await relaunched.signOut()
        let restored = try await world.device(persistence: place).restore()
        XCTAssertNil(restored, "the user after a sign-out that was saved")
    }

    func testASignOutSucceedsWhereNoUserIsSavedThoughNothingCanBeWritten() async throws {
        let auth = world.device(persistence: place)
        place.failingSaves = .max
        let refusal = await outcome { try await auth.signOut() }
        XCTAssertNil(refusal, "a sign-out where nothing is saved")
    }

    func testASignOutThatCanNeitherReadNorWriteWhoIsSavedSaysSo() async throws {
        try await world.device(persistence: place).signInAnonymously()
        let relaunched = world.device(persistence: place)
        place.isUnreadable = true
        place.failingSaves = 2
        await assertThrows(.savedSessionUnreadable, "a sign-out that was not saved") { try await relaunched.signOut() }
    }

    func testASignOutEndsTheSessionWhileItIsBeingSaved() async throws {
        try await inTime { [world, place] in
            let auth = world.device(persistence: place)
            let session = try await auth.signInAnonymously().user.session.id
            let gate = Gate()
            place.gate = gate
            let signingOut = Task { try await auth.signOut() }
            await gate.waitForArrivals(1)
            while try await world.store.whole.load([.session(session)]).session(session) != nil { await Task.yield() }
            XCTAssertNotNil(place.saved?.user, "the user who is saved until the gate is open")
            gate.open()
            try await signingOut.value
            XCTAssertNil(place.saved?.user, "the user who is saved after the sign-out")
        }
    }

    func testASignOutWithoutAUserIsNoChangeOfTheCurrentOne() async throws {
        try await inTime { [world, place] in
            let auth = world.device(persistence: place)
            var changes = auth.changes().makeAsyncIterator()
            _ = await changes.next()
            try await auth.signOut()
            let user = try await auth.signInAnonymously().user
            let change = await changes.next()
            XCTAssertIdentical(change?.user, user, "observers were told of a sign-out without a user")
        }
    }
}
