import Foundation
import XCTest

/// Tests that end the process, and say so, if one of them waits for a minute: what waits for an answer that never comes
/// would hold up all others for ever.
class LimitedTestCase: XCTestCase {
    override func invokeTest() {
        let (name, ended) = (name, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            if ended.wait(timeout: .now() + 60) == .timedOut { fatalError("\(name) did not end within a minute") }
        }
        super.invokeTest()
        ended.signal()
    }
}
