import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// What an app's object may do when it is released together with something that an `Auth` lets go.
@MainActor
final class ReleasedObjectTests: LimitedTestCase {
    private let world = World()

    /// An object of an app that does something when it is released.
    private final class Farewell {
        private let work: () -> Void

        init(_ work: @escaping () -> Void) { self.work = work }

        deinit { work() }
    }

    private final class Presenter: FederatedSignInPresenter {
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        deinit { work() }

        func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer {
            throw CancellationError()
        }
    }

    private final class Settings: AuthSettings {
        private let farewell: Farewell

        init(_ farewell: Farewell) { self.farewell = farewell }

        override func copy(with zone: NSZone? = nil) -> Any { self }
    }

    private final class Factors: MultiFactor {
        var farewell: Farewell?
    }

    private func listener(holding farewell: Farewell) -> (AuthCoreFirebase.Auth, AuthCoreFirebase.User?) -> Void {
        { _, _ in withExtendedLifetime(farewell) {} }
    }

    /// Lets the current user hold an object.
    private func hold(_ farewell: Farewell) throws {
        let user = try XCTUnwrap(world.auth.currentUser, "the user who signed in")
        let factors = Factors(user: user)
        factors.farewell = farewell
        let kept = Handover<MultiFactor>(factors)
        user.view.withLock { $0.factors = kept }
    }

    func testAnObjectThatGoesWithItsListenerMayUseTheAuth() async throws {
        let auth = world.auth
        try await auth.signInAnonymously()
        var heard = 0
        let other = auth.addStateDidChangeListener { _, _ in heard += 1 }
        var found: AuthCoreFirebase.User?
        let handle = auth.addStateDidChangeListener(
            listener(
                holding: Farewell {
                    auth.removeStateDidChangeListener(other)
                    found = auth.currentUser
                }
            )
        )
        XCTAssertNil(found, "the listener does not hold its object")
        auth.removeStateDidChangeListener(handle)
        XCTAssertNotNil(found, "the object did not go with the listener, or found no user")
        await DispatchQueue.main.settle()
        XCTAssertEqual(heard, 0, "what the listener heard that the object removed")
    }

    func testAnObjectThatGoesWithAReplacedAuthMayUseTheNewOne() async throws {
        let app = try FirebaseApp.named("replaced")
        let released = expectation(description: "the object goes with the Auth that was replaced")
        app.useAuth(
            world.service,
            presenter: Presenter {
                XCTAssertNil(AuthCoreFirebase.Auth.auth(app: app).presenter, "the presenter of the new Auth")
                released.fulfill()
            }
        )
        app.useAuth(world.service)
        await fulfillment(of: [released], timeout: 10)
    }

    func testAnObjectThatGoesWithTheAuthOfADeletedAppMayUseThatOfAnother() async throws {
        let (deleted, other) = (try FirebaseApp.named("deleted"), try FirebaseApp.named("used afterwards"))
        let released = expectation(description: "the object goes with the Auth of the deleted app")
        deleted.useAuth(
            world.service,
            presenter: Presenter {
                XCTAssertTrue(AuthCoreFirebase.Auth.auth(app: other).app === other, "the Auth of the other app")
                released.fulfill()
            }
        )
        await deleted.delete()
        _ = AuthCoreFirebase.Auth.auth(app: other)
        await fulfillment(of: [released], timeout: 10)
    }

    func testAnObjectThatGoesWithSettingsMayUseTheAuth() {
        let auth = world.auth
        var found: AuthSettings?
        auth.settings = Settings(Farewell { found = auth.settings })
        XCTAssertNil(found, "the Auth does not hold its settings")
        let settings = AuthSettings()
        settings.isAppVerificationDisabledForTesting = true
        auth.settings = settings
        XCTAssertEqual(found?.isAppVerificationDisabledForTesting, true, "the settings that the object found")
    }

    func testAnObjectThatGoesWithAUserMayUseTheAuth() async throws {
        let auth = world.auth
        var found: [String?] = []
        for isReplaced in [false, true] {
            try await auth.signInAnonymously()
            // A listener's call holds the user as well.
            await DispatchQueue.main.settle()
            try hold(Farewell { found.append(auth.currentUser?.uid) })
            XCTAssertEqual(found.count, isReplaced ? 1 : 0, "the current user does not hold its object")
            if isReplaced { try await auth.signIn(with: world.google()) } else { try auth.signOut() }
            await DispatchQueue.main.settle()
        }
        XCTAssertEqual(found, [nil, auth.currentUser?.uid], "who was there when the earlier user went")
    }
}
