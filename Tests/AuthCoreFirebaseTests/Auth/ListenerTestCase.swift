import Foundation
import XCTest

@testable import AuthCoreFirebase

/// Tests of what the app is told, on the main queue.
@MainActor
class ListenerTestCase: LimitedTestCase {
    let world = World()

    /// Lets everything that waits for the main queue happen.
    func settle() async {
        for _ in 0..<3 {
            let done = expectation(description: "settled")
            DispatchQueue.main.async { done.fulfill() }
            await fulfillment(of: [done], timeout: 10)
        }
    }
}
