import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// Listeners hear what the original's hear, on the main queue.
@MainActor
final class ListenerTests: LimitedTestCase {
    private let world = World()

    /// Lets everything that waits for the main queue happen.
    private func settle() async {
        for _ in 0..<3 {
            let done = expectation(description: "settled")
            DispatchQueue.main.async { done.fulfill() }
            await fulfillment(of: [done], timeout: 10)
        }
    }

    /// Lets it happen until the ear heard so much; a sequence tells its reader by way of other threads.
    private func settle(until ear: Ear, hears count: Int) async {
        let end = ContinuousClock.now + .seconds(10)
        repeat { await settle() } while ear.heard.count < count && ContinuousClock.now < end
    }

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

    func testTheSequencesNameTheirIterators() async throws {
        let states: AuthCoreFirebase.Auth.AuthStateChangesSequence.Iterator = world.auth.authStateChanges
            .makeAsyncIterator()
        let tokens: AuthCoreFirebase.Auth.IDTokenChangesSequence.Iterator = world.auth.idTokenChanges
            .makeAsyncIterator()
        var both = [states, tokens]
        for index in both.indices {
            let first = await both[index].next()
            XCTAssertEqual(first, .some(nil), "the first element of sequence \(index)")
        }
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

    func testATokenListenerHearsOfTheTokenThatAnAppliedCodeBrings() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let before = try await user.getIDToken()
        try await user.sendEmailVerification()
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        try await world.auth.applyActionCode(world.newestCode)
        await settle()
        let after = try await user.getIDToken()
        XCTAssertNotEqual(after, before, "the token from before the verification")
        XCTAssertEqual(heard, 2, "calls, the first one included")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testAReloadThatFindsNothingNewKeepsTheToken() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let before = try await user.getIDToken()
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        try await user.reload()
        let after = try await user.getIDToken()
        await settle()
        XCTAssertEqual(after, before, "the token after a reload of the same account")
        XCTAssertEqual(heard, 1, "calls, the first one included")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testATokenListenerHearsOfEveryToken() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        XCTAssertEqual(heard, 1)
        _ = try await user.getIDToken()
        await settle()
        XCTAssertEqual(heard, 1)
        world.clock.advance(by: .seconds(60))
        _ = try await user.getIDToken(forcingRefresh: true)
        await settle()
        XCTAssertEqual(heard, 2)
        world.clock.advance(by: .seconds(3600))
        _ = try await user.getIDToken()
        await settle()
        XCTAssertEqual(heard, 3, "after the token that replaces an expired one")
        world.auth.removeIDTokenDidChangeListener(handle)
        _ = try await user.getIDToken(forcingRefresh: true)
        await settle()
        XCTAssertEqual(heard, 3, "after the listener was removed")
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

    func testATokenListenerHearsOfAReauthenticationThatANeededFactorCompletes() async throws {
        let user = try await world.personWithFactor()
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let error = await failure { try await user.reauthenticate(with: password) }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let assertion = try await world.assertion(for: resolver)
        await settle()
        var heard: [String?] = []
        let handle = world.auth.addIDTokenDidChangeListener { _, user in heard.append(user?.refreshToken) }
        await settle()
        XCTAssertEqual(heard.count, 1, "at first")
        _ = try await resolver.resolveSignIn(with: assertion)
        await settle()
        XCTAssertEqual(heard.count, 2, "after the factor, which completes the re-authentication and replaces the token")
        XCTAssertEqual(heard.last, user.refreshToken, "the token that the listener finds when it is called")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testATokenListenerHearsOfAReauthentication() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        XCTAssertEqual(heard, 1, "at first")
        try await user.reauthenticate(
            with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        )
        await settle()
        XCTAssertEqual(heard, 2, "after the re-authentication, which replaces the token")
        _ = try await user.getIDToken()
        await settle()
        XCTAssertEqual(heard, 2, "the token that the re-authentication brought is kept")
        world.auth.removeIDTokenDidChangeListener(handle)
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

    func testTheSequencesTellTheSame() async throws {
        let states = listen(to: world.auth.authStateChanges)
        await settle(until: states, hears: 1)
        XCTAssertEqual(states.heard, [nil], "at first")
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle(until: states, hears: 2)
        XCTAssertEqual(states.heard, [nil, user.uid], "after the sign-up")
        let tokens = listen(to: world.auth.idTokenChanges)
        await settle(until: tokens, hears: 1)
        XCTAssertEqual(tokens.heard, [user.uid], "the tokens, at first")
        states.reader?.cancel()
        tokens.reader?.cancel()
    }

    func testASequenceKeepsTheChangesThatItsReaderHasNotReadYet() async throws {
        let auth = world.auth
        var changes = auth.authStateChanges.makeAsyncIterator()
        await settle()
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        try auth.signOut()
        await settle()
        let guest = try await auth.signInAnonymously().user
        await settle()
        for uid in [nil, user.uid, nil, guest.uid] {
            let next = await changes.next()
            // Another one would be waited for without end.
            guard next??.uid == uid else { return XCTFail("the change to \(uid ?? "no user") was lost") }
        }
    }

    /// What a sequence told so far.
    private final class Ear {
        var heard: [String?] = []
        var reader: Task<Void, Never>?
    }

    private func listen(to changes: some AsyncSequence<AuthCoreFirebase.User?, Never>) -> Ear {
        let ear = Ear()
        ear.reader = Task { for await user in changes { ear.heard.append(user?.uid) } }
        return ear
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

    func testATokenListenerDoesNotHearOfAUserWhoIsNotCurrent() async throws {
        let ben = try await world.auth.signIn(with: world.google(.ben)).user
        _ = try await world.auth.signIn(with: world.facebook(.ann))
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        _ = try await ben.getIDToken(forcingRefresh: true)
        await settle()
        XCTAssertEqual(heard, 1, "calls of the listener: only the first one, about the current user")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testOnlyTheSequenceOfTokensTellsOfANewToken() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        let (tokens, states) = (listen(to: world.auth.idTokenChanges), listen(to: world.auth.authStateChanges))
        await settle(until: tokens, hears: 1)
        await settle(until: states, hears: 1)
        _ = try await user.getIDToken(forcingRefresh: true)
        await settle(until: tokens, hears: 2)
        XCTAssertEqual(tokens.heard, [user.uid, user.uid], "what the sequence told after a new token")
        try world.auth.signOut()
        await settle(until: states, hears: 2)
        XCTAssertEqual(states.heard, [user.uid, nil], "what the other told after a new token and a sign-out")
        states.reader?.cancel()
        tokens.reader?.cancel()
    }

    /// How often a listener for tokens is called, at its start and by this change.
    private func calls(by change: () async throws -> Void) async throws -> Int {
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        defer { world.auth.removeIDTokenDidChangeListener(handle) }
        await settle()
        try await change()
        await settle()
        return heard
    }

    func testASignOutWithoutAUserTellsNothing() async throws {
        let heard = try await calls { try world.auth.signOut() }
        XCTAssertEqual(heard, 1, "what a listener heard, the first call included")
    }

    func testATokenListenerHearsOfALink() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let heard = try await calls { try await user.link(with: world.gitHub()) }
        XCTAssertEqual(heard, 2, "what a listener heard, the first call included")
    }
}
