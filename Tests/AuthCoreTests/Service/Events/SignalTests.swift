import XCTest

@testable import AuthCore

final class SignalTests: LimitedTestCase {
    func testWhatIsRaisedWhileAListenerIsBusyIsOneElement() async throws {
        try await inTime {
            let signal = Signal()
            let (one, other) = (signal.listen(), signal.listen())
            for _ in 0..<3 { signal.raise() }
            signal.finish()
            for (name, listener) in [("one", one), ("other", other)] {
                var count = 0
                for await _ in listener { count += 1 }
                XCTAssertEqual(count, 1, "what the \(name) listener hears of three")
            }
        }
    }

    func testASignalIsHeardAsLongAsOneListens() async throws {
        try await inTime {
            let signal = Signal()
            XCTAssertFalse(signal.isHeard, "before there is a listener")
            var listeners = [signal.listen(), signal.listen()]
            XCTAssertTrue(signal.isHeard, "with two listeners")
            listeners.removeLast()
            XCTAssertTrue(signal.isHeard, "with one listener")
            listeners.removeLast()
            XCTAssertFalse(signal.isHeard, "after the last one left")
        }
    }
}
