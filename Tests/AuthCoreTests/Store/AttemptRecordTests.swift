import XCTest

@testable import AuthCore

/// What one key counts, at the borders of its rules.
final class AttemptRecordTests: XCTestCase {
    private let noon = Timestamp(seconds: 1_767_268_800)
    private let key = AttemptKey(purpose: .code, hash: 1)

    func testAKeyWithoutAPlaceCountsWhatAnotherHadInFlightOnce() {
        let allowance = Store.Allowance.number(5, each: .hours(1))
        var former = AttemptRecord()
        for _ in 0..<2 { former.take(Store.Take(key, allowance), at: noon) }
        var floor = AttemptRecord()
        floor.take(Store.Take(key, allowance), at: noon)
        floor.raise(to: former)
        XCTAssertEqual(floor.failures, 2, "the larger of one and two in flight")
        XCTAssertEqual(floor.inFlight, 0, "what has failed is not in flight as well")
    }

    func testAttemptsOfAClockThatIsAheadAsMuchAsClocksMayDifferStayInFlight() {
        let allowance = Store.Allowance.number(1, each: .hours(1))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon + AttemptRecord.longestSkew)
        XCTAssertEqual(record.answer(allowance, at: noon), .inFlight, "a minute ahead")
        XCTAssertEqual(record.answer(allowance, at: noon - .milliseconds(1)), .taken, "more than a minute ahead")
    }
}
