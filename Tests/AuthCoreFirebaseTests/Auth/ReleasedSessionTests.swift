@testable import AuthCore
import AuthCoreFirebaseApp
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// A session that was signed out ends with the last of its objects, and not before.
final class ReleasedSessionTests: LimitedTestCase {
    private let world = World()
    private var auth: AuthCoreFirebase.Auth { world.auth }

    func testTheSessionOfWhoSignedOutEndsWithTheLastHandle() async throws {
        try await auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        let id = try XCTUnwrap(auth.currentUser?.uid)
        try auth.signOut()
        let other = try await world.service.client(for: "another device", origin: .unknown).signIn(
            with: .password(email: "ann@example.com", password: "correct horse")
        )
        XCTAssertEqual(other.user.uid, id)
        let ended = expectation(description: "the session of who signed out ends")
        let waiting = Task {
            while try await other.user.sessions().count > 1 { await Task.yield() }
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 30)
        waiting.cancel()
    }

    func testASessionEndsWithTheLastOfItsObjects() async throws {
        var user: AuthCoreFirebase.User? = try await auth.signIn(with: world.google()).user
        var other = try await user?.reauthenticate(with: world.google()).user
        let token = try await XCTUnwrap(other).getIDToken()
        try auth.signOut()
        user = nil
        try await XCTUnwrap(other).reload()
        let server = world.service.client(for: "server", origin: .unknown)
        _ = try await server.user(forIDToken: token)
        other = nil
        for _ in 0..<1000 {
            guard (try? await server.user(forIDToken: token)) != nil else { return }
            await Task.yield()
        }
        XCTFail("the session goes on after its last object")
    }

    func testASessionThatWasSignedOutEndsThoughItsPersonIsFoundAgain() async throws {
        FirebaseApp.configure(name: "ended", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "ended"))
        app.useAuth(world.service)
        let auth = AuthCoreFirebase.Auth.auth(app: app)
        var user: AuthCoreFirebase.User? = try await auth.signIn(with: world.google()).user
        let token = try await XCTUnwrap(user).getIDToken()
        try auth.signOut()
        let data = try NSKeyedArchiver.archivedData(withRootObject: XCTUnwrap(user), requiringSecureCoding: true)
        var found = try NSKeyedUnarchiver.unarchivedObject(ofClass: AuthCoreFirebase.User.self, from: data)
        XCTAssertNotNil(found?.uid)
        (user, found) = (nil, nil)
        let server = world.service.client(for: "server", origin: .unknown)
        for _ in 0..<1000 {
            if (try? await server.user(forIDToken: token)) == nil { break }
            await Task.yield()
        }
        let late = try? await server.user(forIDToken: token)
        XCTAssertNil(late, "the session goes on after its last object")
        await app.delete()
    }

    func testAFactorThatIsShownAfterTheSignOutKeepsTheSession() async throws {
        var user: AuthCoreFirebase.User? = try await world.personWithFactor()
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let error = await failure { try await XCTUnwrap(user).reauthenticate(with: password) }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let assertion = try await world.assertion(for: resolver)
        try auth.signOut()
        _ = try await resolver.resolveSignIn(with: assertion)
        XCTAssertNotNil(auth.currentUser)
        user = nil
        XCTAssertNil(user)
        for _ in 0..<200 {
            await Task.yield()
            try await auth.currentUser?.reload()
        }
        XCTAssertNotNil(auth.currentUser, "the session ended with the object that signed out before")
        let token = try await XCTUnwrap(auth.currentUser).getIDToken()
        try await auth.signInAnonymously()
        let server = world.service.client(for: "server", origin: .unknown)
        for _ in 0..<200 {
            await Task.yield()
            let user = try? await server.user(forIDToken: token)
            XCTAssertNotNil(user, "the session ended with its last object, although the factor came after the sign-out")
            if user == nil { break }
        }
    }

    func testNothingIsKeptOfSessionsWhoseObjectsAreReleased() async throws {
        for _ in 0..<20 {
            try await auth.signInAnonymously()
            try auth.signOut()
        }
        try await auth.signInAnonymously()
        XCTAssertLessThan(auth.state.withLock { $0.leases.count }, 5, "what is kept of twenty sessions that ended")
    }
}
