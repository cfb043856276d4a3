import XCTest

@testable import AuthCoreFirebase

/// The sequences of states and tokens tell what the listeners hear.
@MainActor
final class ListenerSequenceTests: ListenerTestCase {
    /// Lets it happen until the ear heard so much; a sequence tells its reader by way of other threads.
    private func settle(until ear: Ear, hears count: Int) async {
        let end = ContinuousClock.now + .seconds(10)
        repeat { await settle() } while ear.heard.count < count && ContinuousClock.now < end
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
}
