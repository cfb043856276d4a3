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
}
