import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// Before what, after what and on which thread listeners and observers are called.
@MainActor
final class ListenerOrderTests: ListenerTestCase {
    func testAnAwaitedCallReturnsAfterTheListenersWereCalled() async throws {
        var heard: [String?] = []
        let state = world.auth.addStateDidChangeListener { _, user in heard.append(user?.uid) }
        await settle()
        let user = try await world.auth.signInAnonymously().user
        XCTAssertEqual(heard, [nil, user.uid], "after the sign-in")
        let ben = try await world.auth.createUser(withEmail: "ben@example.com", password: "correct horse").user
        XCTAssertEqual(heard, [nil, user.uid, ben.uid], "after another person's sign-up")
        try await world.auth.updateCurrentUser(user)
        XCTAssertEqual(heard, [nil, user.uid, ben.uid, user.uid], "after the user was exchanged")
        try await user.delete()
        XCTAssertEqual(heard, [nil, user.uid, ben.uid, user.uid, nil], "after the deletion")
        world.auth.removeStateDidChangeListener(state)
    }

    func testAnAwaitedCallReturnsAfterTheListenersForTokensWereCalled() async throws {
        let user = try await world.verifiedUser()
        let credential = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        var heard = 0
        let token = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        let calls: [(String, () async throws -> Void)] = [
            ("a forced token", { _ = try await user.getIDToken(forcingRefresh: true) }),
            ("a link", { try await user.link(with: self.world.gitHub()) }),
            ("a re-authentication", { try await user.reauthenticate(with: credential) }),
        ]
        for (name, call) in calls {
            heard = 0
            try await call()
            XCTAssertGreaterThan(heard, 0, "after \(name)")
        }
        world.auth.removeIDTokenDidChangeListener(token)
    }

    func testListenersAreCalledInTheOrderInWhichTheyWereAdded() async throws {
        var heard: [Int] = []
        let handles = (0..<5).map { number in
            world.auth.addStateDidChangeListener { _, _ in heard.append(number) }
        }
        await settle()
        XCTAssertEqual(heard, [0, 1, 2, 3, 4], "the first call")
        heard = []
        world.auth.removeStateDidChangeListener(handles[1])
        try await world.auth.signInAnonymously()
        await settle()
        XCTAssertEqual(heard, [0, 2, 3, 4], "a change after one was removed")
    }

    func testListenersOfBothKindsAreCalledInTheOrderInWhichTheyWereAddedAndBeforeTheNotification() async throws {
        var heard: [String] = []
        let notification = NotificationCenter.default.addObserver(
            forName: .AuthStateDidChange,
            object: world.auth,
            queue: nil
        ) { _ in MainActor.assumeIsolated { heard.append("notification") } }
        let state = world.auth.addStateDidChangeListener { _, _ in heard.append("state") }
        let token = world.auth.addIDTokenDidChangeListener { _, _ in heard.append("token") }
        let other = world.auth.addStateDidChangeListener { _, _ in heard.append("other state") }
        await settle()
        heard = []
        try await world.auth.signInAnonymously()
        await settle()
        XCTAssertEqual(heard, ["state", "token", "other state", "notification"])
        world.auth.removeStateDidChangeListener(state)
        world.auth.removeIDTokenDidChangeListener(token)
        world.auth.removeStateDidChangeListener(other)
        NotificationCenter.default.removeObserver(notification)
    }

    func testAListenerThatAnotherOneRemovesHearsNothingMore() async throws {
        var second: (any NSObjectProtocol)?
        var heard = 0
        let first = world.auth.addStateDidChangeListener { auth, user in
            if user != nil, let second { auth.removeStateDidChangeListener(second) }
        }
        second = world.auth.addStateDidChangeListener { _, user in if user != nil { heard += 1 } }
        await settle()
        try await world.auth.signInAnonymously()
        await settle()
        XCTAssertEqual(heard, 0, "what the removed listener heard of the sign-in")
        world.auth.removeStateDidChangeListener(first)
    }

    func testAListenerAfterOneThatSignsOutHearsOfTheSignInAndOfTheSignOut() async throws {
        let first = world.auth.addStateDidChangeListener { auth, user in if user != nil { try? auth.signOut() } }
        var heard: [String?] = []
        let second = world.auth.addStateDidChangeListener { _, user in heard.append(user?.uid) }
        await settle()
        let user = try await world.auth.signInAnonymously().user
        await settle()
        XCTAssertEqual(heard, [nil, user.uid, nil], "what the second listener heard, the first call included")
        for listener in [first, second] { world.auth.removeStateDidChangeListener(listener) }
    }

    /// An observer without a queue is called where the notification is posted.
    func testTheNotificationIsPostedOnTheMainThread() async throws {
        let isOnMain = Atomic(false)
        let posted = expectation(forNotification: .AuthStateDidChange, object: world.auth) { _ in
            isOnMain.store(Thread.isMainThread, ordering: .sequentiallyConsistent)
            return true
        }
        try await world.auth.signInAnonymously()
        await fulfillment(of: [posted], timeout: 10)
        XCTAssertTrue(isOnMain.load(ordering: .sequentiallyConsistent), "an observer of the main thread")
    }
}
