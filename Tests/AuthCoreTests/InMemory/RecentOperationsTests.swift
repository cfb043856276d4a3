@testable import AuthCore
import XCTest

final class RecentOperationsTests: LimitedTestCase {
    func testOperationsAreRememberedForADayAndForgottenAfterTwo() {
        var recent = RecentOperations()
        let hours = Array(0..<100)
        func id(_ hour: Int) -> OperationID { OperationID(bits: UInt128(hour)) }
        for hour in hours {
            recent.remember(id(hour), at: RecordSamples.noon + .seconds(hour * 3600))
            for earlier in hours.prefix(hour + 1) where hour - earlier <= 24 {
                XCTAssertTrue(recent.contains(id(earlier)), "hour \(earlier) is forgotten at hour \(hour)")
            }
            for earlier in hours.prefix(hour + 1) where hour - earlier > 48 {
                XCTAssertFalse(recent.contains(id(earlier)), "hour \(earlier) is remembered at hour \(hour)")
            }
        }
    }

    func testAnOperationOfBeforeTheTurnOfTheDayIsKnown() {
        var recent = RecentOperations()
        let (early, late) = (OperationID(bits: 1), OperationID(bits: 2))
        XCTAssertFalse(recent.contains(early), "nothing is known at first")
        recent.remember(early, at: RecordSamples.noon)
        XCTAssertFalse(recent.contains(late), "another one is not known")
        recent.remember(late, at: RecordSamples.noon + .days(1))
        XCTAssertTrue(recent.contains(early), "the first one, when the other began a new day")
        XCTAssertTrue(recent.contains(late), "the one that began the day")
    }

    func testAClockThatGoesBackForgetsNothing() {
        var recent = RecentOperations()
        for (number, day) in [5, 0, -3, 5, 4].enumerated() {
            recent.remember(OperationID(bits: UInt128(number)), at: RecordSamples.noon + .days(day))
        }
        for number in 0..<5 { XCTAssertTrue(recent.contains(OperationID(bits: UInt128(number))), "\(number)") }
    }

    /// Otherwise the set would grow until the time that the clock showed.
    func testDaysEndAgainAfterAClockThatWasFarAhead() {
        var recent = RecentOperations()
        recent.remember(OperationID(bits: 1000), at: RecordSamples.noon + .days(3650))
        for hour in 0..<100 {
            recent.remember(OperationID(bits: UInt128(hour)), at: RecordSamples.noon + .hours(hour))
        }
        XCTAssertFalse(recent.contains(OperationID(bits: 0)), "an operation from four days ago")
        XCTAssertTrue(recent.contains(OperationID(bits: 90)), "an operation of the last day")
    }
}
