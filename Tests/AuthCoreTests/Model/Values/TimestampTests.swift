@testable import AuthCore
import Foundation
import XCTest

final class TimestampTests: LimitedTestCase {
    private let noon = Timestamp(milliseconds: 1_767_268_800_123)

    func testADateAndItsMomentAreTheSameToTheMillisecond() {
        for milliseconds in [0, 1, -1, 999, 1_767_268_800_001, 1_767_268_800_123, -62_135_596_799_999] as [Int64] {
            let moment = Timestamp(milliseconds: milliseconds)
            XCTAssertEqual(Timestamp(moment.date), moment)
        }
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: 1.5)).milliseconds, 1500)
    }

    func testNoDateTraps() {
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: .infinity)), .distantFuture)
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: 1e300)), .distantFuture)
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: 1e13)), .distantFuture)
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: -.infinity)), .distantPast)
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: .nan)), .distantPast)
    }

    func testNoArithmeticTraps() {
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
        XCTAssertEqual(noon + longest, .distantFuture)
        XCTAssertEqual(noon - longest, .distantPast)
        XCTAssertEqual(.distantPast + longest, .distantFuture)
        XCTAssertEqual(noon + Duration(secondsComponent: .min, attosecondsComponent: 0), .distantPast)
        XCTAssertEqual(noon - Duration(secondsComponent: .min, attosecondsComponent: 0), .distantFuture)
        XCTAssertEqual(noon + .seconds(1e20), .distantFuture, "more seconds than an Int64 counts")
        XCTAssertEqual(noon - .seconds(1e20), .distantPast, "more seconds than an Int64 counts")
        XCTAssertEqual(Timestamp(seconds: .max), .distantFuture)
        XCTAssertEqual(Timestamp(seconds: .min), .distantPast)
        XCTAssertEqual(.distantFuture - .distantPast, .seconds(2 * 8_640_000_000_000 as Int64))
    }

    func testDurationsCountToTheNearestMillisecond() {
        XCTAssertEqual(noon + .seconds(600), Timestamp(milliseconds: noon.milliseconds + 600_000))
        XCTAssertEqual(noon - .seconds(1.5), Timestamp(milliseconds: noon.milliseconds - 1500))
        XCTAssertEqual(noon + .microseconds(499), noon)
        XCTAssertEqual(noon + .microseconds(500), Timestamp(milliseconds: noon.milliseconds + 1))
        XCTAssertEqual(noon - .microseconds(500), Timestamp(milliseconds: noon.milliseconds - 1))
        XCTAssertEqual(noon + .microseconds(-1700), Timestamp(milliseconds: noon.milliseconds - 2))
        XCTAssertEqual((noon + .seconds(86_400.001)) - noon, .milliseconds(86_400_001))
    }

    func testWholeSecondsAreRoundedDown() {
        XCTAssertEqual(noon.seconds, 1_767_268_800)
        XCTAssertEqual(Timestamp(milliseconds: 999).seconds, 0)
        XCTAssertEqual(Timestamp(milliseconds: -1).seconds, -1)
        XCTAssertEqual(Timestamp(milliseconds: -1000).seconds, -1)
    }

    func testWhatLiesBeyondTheEndsIsNotRead() throws {
        let decoder = JSONDecoder()
        XCTAssertEqual(try decoder.decode([Timestamp].self, from: Data("[8640000000000000]".utf8)), [.distantFuture])
        XCTAssertThrowsError(try decoder.decode([Timestamp].self, from: Data("[8640000000000001]".utf8)))
        XCTAssertThrowsError(try decoder.decode([Timestamp].self, from: Data("[0.5]".utf8)))
        XCTAssertEqual(try JSONEncoder().encode([noon]), Data("[1767268800123]".utf8))
    }
}
