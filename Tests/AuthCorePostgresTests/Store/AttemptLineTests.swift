#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The line in which attempts wait.
final class AttemptLineTests: LimitedTestCase {
    private static func job(_ hash: UInt64) -> AttemptLine.Job {
        AttemptLine.Job(keys: [.init(purpose: .code, hash: hash)], count: { _, _ in {} }, fail: { _ in })
    }

    func testOnlyTheFirstAttemptInAnIdleLineBeginsTheWork() {
        let line = AttemptLine()
        XCTAssertTrue(line.add(Self.job(1)), "the first begins the work")
        XCTAssertFalse(line.add(Self.job(2)), "the second finds it begun")
        XCTAssertEqual(line.next().map(\.keys.first?.hash), [1, 2], "both are done together")
        XCTAssertFalse(line.add(Self.job(3)), "the work goes on until nothing is left")
        XCTAssertEqual(line.next().map(\.keys.first?.hash), [3], "the one that came meanwhile")
        XCTAssertTrue(line.next().isEmpty, "nothing is left")
        XCTAssertTrue(line.add(Self.job(4)), "the work has to be begun again")
    }

    func testThirtyTwoAreDoneTogetherInTheirOrder() {
        let line = AttemptLine()
        for hash in 0..<70 as Range<UInt64> { _ = line.add(Self.job(hash)) }
        let batches = (0..<4).map { _ in line.next().map { $0.keys[0].hash } }
        XCTAssertEqual(batches, [Array(0..<32), Array(32..<64), Array(64..<70), []])
    }

    func testAnAttemptThatWasTakenOutOfTheLineIsNotDoneAgain() {
        let line = AttemptLine()
        for hash in 0..<40 as Range<UInt64> { _ = line.add(Self.job(hash)) }
        XCTAssertEqual(line.removeAll().count, 40, "all that waited")
        XCTAssertTrue(line.next().isEmpty, "some of them still wait")
    }
}
#endif
