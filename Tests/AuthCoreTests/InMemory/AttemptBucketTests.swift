import Foundation
import XCTest

@testable import AuthCore

/// The four places of a bucket, and what a key without a place counts.
final class AttemptBucketTests: LimitedTestCase {
    private let noon = Timestamp(seconds: 1_800_000_000)
    private let allowance = Store.Allowance.number(10, each: .hours(1))

    private func bucket(_ failures: [(hash: UInt64, failures: Int)]) -> AttemptBucket {
        var bucket = AttemptBucket()
        for (hash, number) in failures {
            let take = Store.Take(AttemptKey(purpose: .password, hash: hash), allowance)
            for _ in 0..<number {
                bucket.change(hash, allowance, at: noon) { record in
                    record.take(take, at: noon)
                    record.keep(allowance, at: noon)
                }
            }
        }
        return bucket
    }

    func testAKeyThatCountsNothingTakesNoPlace() {
        var bucket = AttemptBucket()
        bucket.change(1, allowance, at: noon) { _ in }
        XCTAssertTrue(bucket.isEmpty, "nothing was counted")
        bucket = self.bucket([(1, 1)])
        bucket.change(1, allowance, at: noon) { $0.clear() }
        XCTAssertTrue(bucket.isEmpty, "what was counted was cleared")
    }

    func testAKeyThatIsClearedInAFullBucketCountsNothing() {
        var bucket = bucket([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)])
        XCTAssertEqual(bucket[5].failures, 5, "the key that took the place of the one that counted least")
        XCTAssertEqual(bucket[1].failures, 1, "which counts what it counted")
        XCTAssertEqual(bucket[9].failures, 1, "as does every key without a place")
        bucket.change(9, allowance, at: noon) { $0.clear() }
        XCTAssertEqual(bucket[9].failures, 0, "a key without a place that is cleared")
        XCTAssertEqual(bucket[5].failures, 5, "what counts most stays")
        bucket.change(5, allowance, at: noon) { $0.clear() }
        XCTAssertEqual(bucket[5].failures, 0, "a key with a place that is cleared")
    }

    func testAKeyThatCountsLessThanTheFloorDoesNotLowerItByGivingWay() {
        let bucket = bucket([(1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (6, 1)])
        XCTAssertEqual(bucket[1].failures, 2, "the first key that gave way, once one that counts less did too")
    }

    func testAFullBucketThatCountsNothingMoreIsEmpty() {
        var bucket = bucket([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)])
        let later = noon + .hours(2)
        for hash in 2...5 as ClosedRange<UInt64> { bucket.change(hash, allowance, at: later) { _ in } }
        XCTAssertEqual(bucket[1].failures, 0, "the window is over for a key without a place")
        XCTAssertTrue(bucket.isEmpty, "and for the others")
    }

    /// Counts as many failures of a key as its place in the list, under this allowance.
    private func count(
        _ hashes: ClosedRange<UInt64>,
        _ allowance: Store.Allowance,
        in bucket: inout AttemptBucket,
        at time: Timestamp? = nil
    ) {
        let time = time ?? noon
        for hash in hashes {
            let take = Store.Take(AttemptKey(purpose: .mail, hash: hash), allowance, isSettled: true)
            for _ in 0..<hash { bucket.change(hash, allowance, at: time) { $0.take(take, at: time) } }
        }
    }

    private let waiting = Store.Allowance.waits(
        free: 0,
        first: .seconds(1),
        longest: .minutes(15),
        halving: .hours(1)
    )

    /// What is cleared has no allowance that tells what counts no more.
    func testAKeyThatIsClearedInAFullBucketLeavesWhatNoWindowEnds() {
        var bucket = AttemptBucket()
        count(1...6, waiting, in: &bucket)
        let counted = bucket[9].failures
        XCTAssertGreaterThan(counted, 0, "what every key without a place counts")
        bucket.change(6, nil, at: noon) { $0.clear() }
        XCTAssertEqual(bucket[9].failures, counted, "after another key was cleared")
    }

    /// Otherwise the table would grow by every key that was ever cleared.
    func testAKeyWithWaitsThatIsClearedKeepsNoPlace() {
        var bucket = AttemptBucket()
        count(1...1, waiting, in: &bucket)
        bucket.change(1, nil, at: noon) { $0.clear() }
        XCTAssertTrue(bucket.isEmpty, "what was counted was cleared")
    }

    private let short = Store.Allowance.number(10, each: .minutes(10))

    func testAShorterWindowOfAnotherKeyForgetsNothing() {
        var bucket = AttemptBucket()
        count(1...4, allowance, in: &bucket)
        let later = noon + .minutes(20)
        let take = Store.Take(AttemptKey(purpose: .mail, hash: 9), short, isSettled: true)
        bucket.change(9, short, at: later) { $0.take(take, at: later) }
        for hash in 1...4 as ClosedRange<UInt64> {
            XCTAssertGreaterThanOrEqual(bucket[hash].failures, Double(hash), "key \(hash), whose window is an hour")
        }
        XCTAssertEqual(bucket[9].failures, 1, "the key whose window is ten minutes")
    }

    func testAShorterWindowOfAnotherKeyDoesNotEmptyTheFloor() {
        var bucket = AttemptBucket()
        count(1...5, allowance, in: &bucket)
        XCTAssertEqual(bucket[1].failures, 1, "the key that lost its place counts what it counted")
        bucket.change(5, short, at: noon + .minutes(20)) { _ in }
        XCTAssertEqual(bucket[1].failures, 1, "for an hour, though another key counts for ten minutes")
        bucket.change(5, short, at: noon + .minutes(60)) { _ in }
        XCTAssertEqual(bucket[1].failures, 0, "after its window is over")
    }

    func testAFloorThatIsOverTakesItsWindowWithIt() {
        var bucket = AttemptBucket()
        count(1...5, allowance, in: &bucket)
        let later = noon + .hours(1)
        bucket.change(5, short, at: later) { _ in }
        XCTAssertEqual(bucket[9].failures, 0, "after the window of an hour")
        count(1...5, short, in: &bucket, at: later)
        XCTAssertEqual(bucket[9].failures, 1, "one of the keys with a window of ten minutes gave way")
        bucket.change(5, short, at: later + .minutes(10)) { _ in }
        XCTAssertEqual(bucket[9].failures, 0, "after ten minutes")
    }

    func testALongerWindowOfAnotherKeyKeepsNoPlaceOccupied() {
        var bucket = AttemptBucket()
        count(1...4, short, in: &bucket)
        let later = noon + .minutes(20)
        let take = Store.Take(AttemptKey(purpose: .mail, hash: 9), allowance, isSettled: true)
        bucket.change(9, allowance, at: later) { $0.take(take, at: later) }
        XCTAssertEqual(bucket[9].failures, 1, "the key that takes a place which counts no more")
        XCTAssertEqual(bucket[7].failures, 0, "a key without a place: nothing that counts gave way")
    }

    func testTheFloorIsKeptForTheLongestWindowThatGaveWay() {
        var bucket = AttemptBucket()
        count(1...4, short, in: &bucket)
        count(5...5, allowance, in: &bucket)
        count(6...6, allowance, in: &bucket)
        XCTAssertEqual(bucket[1].failures, 2, "two keys of a short window gave way")
        var other = bucket
        other.change(6, allowance, at: noon + .minutes(10)) { _ in }
        XCTAssertEqual(other[1].failures, 0, "after their window is over, also for a change of another key")
        count(7...7, short, in: &bucket)
        count(8...8, short, in: &bucket)
        count(9...9, short, in: &bucket)
        XCTAssertEqual(bucket[1].failures, 5, "the key of the long window gave way as well")
        bucket.change(9, short, at: noon + .minutes(20)) { _ in }
        XCTAssertEqual(bucket[5].failures, 5, "within its window")
    }

    /// Rows from before windows were stored are judged by the window of the key that changes, as they were.
    func testACountWithoutAStoredWindowCanBeRead() throws {
        var old = try XCTUnwrap(
            try JSONSerialization.jsonObject(
                with: JSONEncoder().encode(bucket([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]))
            )
                as? [String: Any]
        )
        old["floorWindow"] = nil
        old["places"] = (old["places"] as? [[String: Any]])?.map { $0.filter { $0.key != "window" } }
        var read = try JSONDecoder().decode(AttemptBucket.self, from: JSONSerialization.data(withJSONObject: old))
        XCTAssertEqual(read[1].failures, 1, "the floor")
        XCTAssertEqual(read[5].failures, 5, "a place")
        let later = noon + .hours(2)
        for hash in 2...5 as ClosedRange<UInt64> { read.change(hash, allowance, at: later) { _ in } }
        XCTAssertTrue(read.isEmpty, "what counts no more is forgotten")
    }

    func testTheLongestWindowCountsWhicheverKeyGaveWayFirst() {
        var bucket = AttemptBucket()
        count(1...1, allowance, in: &bucket)
        count(2...6, short, in: &bucket)
        XCTAssertEqual(bucket[1].failures, 2, "the long window gave way first, then a short one")
        bucket.change(6, short, at: noon + .minutes(20)) { _ in }
        XCTAssertEqual(bucket[1].failures, 2, "what is counted when the shorter of the windows is over")
    }
}
