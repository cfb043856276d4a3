import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// A sequence whose reader is gone.
@MainActor
final class EndedSequenceTests: XCTestCase {
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

    func testASequenceEndsWithItsAuth() async throws {
        FirebaseApp.configure(name: "sequence", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "sequence"))
        app.useAuth(World().service)
        let (first, ended) = (expectation(description: "the first user"), expectation(description: "the end"))
        let reader = Task {
            for await _ in Auth.auth(app: app).authStateChanges { first.fulfill() }
            ended.fulfill()
        }
        await fulfillment(of: [first], timeout: 10)
        app.useAuth(World().service)
        await fulfillment(of: [ended], timeout: 10)
        reader.cancel()
    }
}
