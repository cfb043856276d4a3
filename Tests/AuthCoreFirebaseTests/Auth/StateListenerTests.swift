import AuthCore
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// When a listener for states is called: at once, and when another person signs in or the user signs out.
@MainActor
final class StateListenerTests: ListenerTestCase {
    func testAStateListenerHearsAtOnceAndThenOfOtherPeopleOnly() async throws {
        var heard: [String?] = []
        let handle = world.auth.addStateDidChangeListener { _, user in
            XCTAssertTrue(Thread.isMainThread)
            heard.append(user?.uid)
        }
        XCTAssertEqual(heard, [])
        await settle()
        XCTAssertEqual(heard, [nil])
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        _ = try await user.getIDToken(forcingRefresh: true)
        try await user.link(with: world.gitHub())
        await settle()
        XCTAssertEqual(heard, [nil, user.uid])
        try world.auth.signOut()
        await settle()
        XCTAssertEqual(heard, [nil, user.uid, nil])
        try await world.auth.signIn(withEmail: "ann@example.com", password: "correct horse")
        await settle()
        XCTAssertEqual(heard, [nil, user.uid, nil, user.uid], "after the same person signed in again")
        world.auth.removeStateDidChangeListener(handle)
        try await world.auth.signInAnonymously()
        await settle()
        XCTAssertEqual(heard.count, 4)
    }

    func testASessionThatEndedElsewhereIsHeardOfBeforeTheErrorArrives() async throws {
        let user = try await world.verifiedUser()
        var heard: [String?] = []
        let state = world.auth.addStateDidChangeListener { _, user in heard.append(user?.uid) }
        await settle()
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await user.reload() }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertEqual(heard, [user.uid, nil], "what was heard when the error arrived")
        world.auth.removeStateDidChangeListener(state)
    }

    func testAListenerThatIsAddedBesideAChangeHearsItOnce() async throws {
        try await world.auth.signInAnonymously()
        await settle()
        // The change is announced, and the listener added, before the main queue goes on.
        try world.auth.signOut()
        var heard: [String?] = []
        let handle = world.auth.addStateDidChangeListener { _, user in heard.append(user?.uid) }
        await settle()
        XCTAssertEqual(heard, [nil], "what a listener heard of one change")
        world.auth.removeStateDidChangeListener(handle)
    }

    func testAStateListenerHearsNothingOfAUserWhoIsBackBeforeItIsCalled() async throws {
        let user = try await world.auth.signInAnonymously().user
        await settle()
        var heard: [String?] = []
        let handle = world.auth.addStateDidChangeListener { _, user in heard.append(user?.uid) }
        await settle()
        // Both changes are announced before the main queue goes on, which updateCurrentUser(_:) would let it do.
        try world.auth.signOut()
        try world.auth.adopt(user)
        await settle()
        XCTAssertEqual(heard, [user.uid], "what the listener heard, the first call included")
        world.auth.removeStateDidChangeListener(handle)
    }

    func testAStateListenerHearsThatTheAccountIsDeleted() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        var heard: [String?] = []
        let handle = world.auth.addStateDidChangeListener { _, user in heard.append(user?.uid) }
        await settle()
        try await user.delete()
        await settle()
        XCTAssertEqual(heard, [user.uid, nil], "who was signed in before and after the deletion")
        world.auth.removeStateDidChangeListener(handle)
    }
}
