import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// A stream of changes whose reader is gone.
final class EndedStreamTests: LimitedTestCase {
    func testAStreamWhoseReaderIsCanceledLeavesNoObserver() async throws {
        let (auth, first) = (Auth(), Gate())
        first.open()
        let reader = Task {
            for await _ in auth.changes() { await first.pass() }
        }
        await first.waitForArrivals()
        XCTAssertEqual(auth.state.withLock { $0.observers.count }, 1, "while it is read")
        reader.cancel()
        await reader.value
        XCTAssertEqual(auth.state.withLock { $0.observers.count }, 0, "observers after it ended")
    }
}
