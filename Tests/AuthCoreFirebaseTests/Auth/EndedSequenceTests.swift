import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// A sequence whose reader is gone, or whose `Auth` is.
@MainActor
final class EndedSequenceTests: LimitedTestCase {
    func testASequenceThatEndedLeavesNoListener() async throws {
        let auth = World().auth
        let first = expectation(description: "the sequence tells who is signed in")
        let reader = Task {
            for await _ in auth.authStateChanges { first.fulfill() }
        }
        await fulfillment(of: [first], timeout: 10)
        XCTAssertEqual(auth.state.withLock { $0.listeners.count }, 1, "while it is read")
        reader.cancel()
        await reader.value
        let end = ContinuousClock.now + .seconds(10)
        while auth.state.withLock({ $0.listeners.count }) > 0, ContinuousClock.now < end { await Task.yield() }
        XCTAssertEqual(auth.state.withLock { $0.listeners.count }, 0, "listeners after it ended")
    }

    func testASequenceEndsWhenItsAuthIsReplaced() async throws {
        let (app, service) = (try FirebaseApp.named("replaced while it is read"), World().service)
        app.useAuth(service)
        await expectAnEnd(of: { AuthCoreFirebase.Auth.auth(app: app).authStateChanges }) { app.useAuth(service) }
    }

    func testASequenceEndsWhenTheAuthOfItsDeletedAppIsLetGo() async throws {
        let (deleted, other) = (
            try FirebaseApp.named("deleted while it is read"), try FirebaseApp.named("used after it was deleted")
        )
        await expectAnEnd(of: { AuthCoreFirebase.Auth.auth(app: deleted).idTokenChanges }) {
            await deleted.delete()
            _ = AuthCoreFirebase.Auth.auth(app: other)
        }
    }

    /// Reads a sequence, lets its `Auth` go, and expects that the reader comes to an end.
    private func expectAnEnd(
        of changes: @escaping () -> some AsyncSequence<AuthCoreFirebase.User?, Never>,
        after letGo: () async -> Void
    ) async {
        let first = expectation(description: "the sequence tells who is signed in")
        let ended = expectation(description: "the sequence ends with its Auth")
        let reader = Task {
            for await _ in changes() { first.fulfill() }
            ended.fulfill()
        }
        await fulfillment(of: [first], timeout: 10)
        await letGo()
        await fulfillment(of: [ended], timeout: 10)
        reader.cancel()
    }
}
