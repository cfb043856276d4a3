import Foundation
import XCTest

/// Tests that end the process, and say so, if one of them does not end in time: what waits for an answer that never
/// comes, or goes on for ever, would hold up all others.
///
/// Tests that take long beside others, or under a sanitizer, set a later limit.
class LimitedTestCase: XCTestCase {
    /// How many seconds one test may take, or minutes in the long form.
    class var timeLimit: Int { 60 }

    override func invokeTest() {
        let isLong = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == "1"
        let seconds = Self.timeLimit * (isLong ? 60 : 1)
        let (name, ended) = (name, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            if ended.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
                fatalError("\(name) did not end within \(seconds) seconds")
            }
        }
        super.invokeTest()
        ended.signal()
    }
}
