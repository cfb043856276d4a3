import XCTest

extension XCTestCase {
    /// Waits for what other tasks bring about, and fails the test if they do not; the time only ends a test that fails.
    func wait(for what: String, until isSo: () -> Bool) async {
        let patience = ContinuousClock.now + .seconds(30)
        while !isSo(), ContinuousClock.now < patience { await Task.yield() }
        XCTAssertTrue(isSo(), what)
    }
}
