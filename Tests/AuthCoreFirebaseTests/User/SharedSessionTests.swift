import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreFirebase

/// When a session ends that several handles of one user share.
@MainActor
final class SharedSessionTests: LimitedTestCase {
    private let world = World()
    private var auth: AuthCoreFirebase.Auth { world.auth }

    func testTheSessionOfAUserThatWasSetAgainOutlivesItsHandles() async throws {
        var user: AuthCoreFirebase.User? =
            try await auth
            .createUser(withEmail: "ann@example.com", password: "correct horse").user
        try auth.signOut()
        try await auth.updateCurrentUser(XCTUnwrap(user))
        user = nil
        let other = try await world.service.client(for: "another device", origin: .unknown).signIn(
            with: .password(email: "ann@example.com", password: "correct horse")
        )
        try await auth.signInAnonymously()
        for _ in 0..<200 where try await other.user.sessions().count > 1 { await Task.yield() }
        let sessions = try await other.user.sessions()
        XCTAssertEqual(
            sessions.count,
            2,
            "the session ended with its last handle, although its user had not signed out"
        )
    }

    /// A second handle of the session becomes the current user after the first one was signed out.
    func testTheSessionOfAUserWhoIsSetBesideASignOutGoesOn() async throws {
        let store = FaultyStore()
        let world = World(store: store)
        let auth = world.auth
        var user: AuthCoreFirebase.User? =
            try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let core = try XCTUnwrap(user?.core)
        // As the answer to a challenge does, for which tokens are issued.
        try await core.reauthenticate(with: .password(email: "ann@example.com", password: "correct horse"))
        let gate = Gate()
        store.script(.commit, .waitsBefore(gate))
        let second = Task { [auth] in _ = await auth.signedIn(core) }
        await gate.waitForArrivals()
        try auth.signOut()
        gate.open()
        await second.value
        user = nil
        XCTAssertEqual(auth.currentUser?.email, "ann@example.com", "the current user")
        try await auth.signInAnonymously()
        let ann = try await world.device("tablet").signIn(withEmail: "ann@example.com", password: "correct horse").user
        for _ in 0..<200 where try await ann.core.sessions().count > 1 { await Task.yield() }
        let sessions = try await ann.core.sessions()
        XCTAssertEqual(sessions.count, 2, "the session of the user who was set ended with its last handle")
    }

    /// A challenge that is answered after the sign-out goes on in the session, of which the other `Auth` knows, too.
    func testTheSessionOfAUserWhoIsSignedInAgainWhereItWasSetGoesOn() async throws {
        var user: AuthCoreFirebase.User? =
            try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let core = try XCTUnwrap(user?.core)
        try auth.signOut()
        let tablet = world.device("tablet")
        try await tablet.updateCurrentUser(XCTUnwrap(user))
        try tablet.signOut()
        _ = await tablet.signedIn(core)
        user = nil
        XCTAssertNil(user)
        var error: (any Error)?
        for _ in 0..<200 where error == nil {
            await Task.yield()
            do { try await core.reload() } catch let ended { error = ended }
        }
        XCTAssertNil(error, "the session of the current user ended with an earlier object")
    }
}
