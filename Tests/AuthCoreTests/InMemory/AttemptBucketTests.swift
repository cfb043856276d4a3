import XCTest

@testable import AuthCore

/// The four places of a bucket, and what a key without a place counts.
final class AttemptBucketTests: XCTestCase {
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

    func testAFullBucketThatCountsNothingMoreIsEmpty() {
        var bucket = bucket([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)])
        let later = noon + .hours(2)
        for hash in 2...5 as ClosedRange<UInt64> { bucket.change(hash, allowance, at: later) { _ in } }
        XCTAssertEqual(bucket[1].failures, 0, "the window is over for a key without a place")
        XCTAssertTrue(bucket.isEmpty, "and for the others")
    }
}
