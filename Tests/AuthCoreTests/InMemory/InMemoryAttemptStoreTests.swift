import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// Tables of bounded size: what gives way, and to what.
final class InMemoryAttemptStoreTests: LimitedTestCase {
    private let noon = Timestamp(seconds: 1_767_268_800)
    private let allowance = Store.Allowance.number(1, each: .hours(1))

    private func take(_ hash: UInt64) -> Store.Take {
        Store.Take(AttemptKey(purpose: .password, hash: hash), allowance)
    }

    /// An attempt that fails, of a key that may have three an hour.
    private func failedAttempt(_ hash: UInt64, in store: InMemoryAttemptStore) async throws -> Store.TakeAnswer {
        let take = Store.Take(AttemptKey(purpose: .password, hash: hash), .number(3, each: .hours(1)))
        let answer = try await store.take([take], at: noon)
        if answer == .taken { try await store.keep([take], at: noon) }
        return answer
    }

    /// Four keys of one bucket are counted; an hour later none of them counts, and a fifth has a place of its own.
    func testAKeyTakesThePlaceOfOneThatCountsNoMore() async throws {
        let store = InMemoryAttemptStore(capacity: 4)
        for hash in 1...4 as ClosedRange<UInt64> {
            let answer = try await store.take([take(hash)], at: noon)
            XCTAssertEqual(answer, .taken, "the first attempt of key \(hash)")
            try await store.keep([take(hash)], at: noon)
        }
        let later = noon + .hours(2)
        let fifth = try await store.take([take(5)], at: later)
        XCTAssertEqual(fifth, .taken, "the first attempt of a fifth key")
        try await store.keep([take(5)], at: later)
        let again = try await store.take([take(5)], at: later)
        XCTAssertTrue(again.isRefused, "the second attempt of the fifth key")
        let first = try await store.take([take(1)], at: later)
        XCTAssertEqual(first, .taken, "the key that gave way after it counted no more")
    }

    /// A table that grows moves its entries while every other attempt waits, so it grows in small parts.
    func testNoAttemptWaitsUntilTheWholeTableHasMoved() async throws {
        let store = InMemoryAttemptStore()
        let purposes: [Store.AttemptKey.Purpose] = [.password, .mail, .text]
        for hash in 0..<16_384 as Range<UInt64> {
            let takes = purposes.map { Store.Take(AttemptKey(purpose: $0, hash: hash), allowance) }
            let answer = try await store.take(takes, at: noon)
            XCTAssertEqual(answer, .taken, "the first attempt of key \(hash)")
        }
        let (all, fullest) = store.table.withLock { ($0.buckets.all.count, $0.buckets.fullestShard) }
        XCTAssertEqual(all, 3 * 16_384, "buckets of three full purposes")
        XCTAssertLessThanOrEqual(fullest, 3 * 16_384 / 256, "buckets that one attempt moves at most")
    }

    /// A key that is cleared is free, though what others lost counts for every key without a place.
    func testAClearedKeyCountsNothingInAFullTable() async throws {
        let store = InMemoryAttemptStore(capacity: 4)
        for hash in [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5] as [UInt64] {
            let answer = try await failedAttempt(hash, in: store)
            XCTAssertEqual(answer, .taken, "key \(hash), of which the fifth takes the place of the fourth")
        }
        try await store.refund([], clearing: [AttemptKey(purpose: .password, hash: 1)], at: noon)
        for number in 1...3 {
            let answer = try await failedAttempt(1, in: store)
            XCTAssertEqual(answer, .taken, "attempt \(number) of the key that was cleared")
        }
    }

    func testATableThatCountsNothingMoreIsEmpty() async throws {
        let store = InMemoryAttemptStore(capacity: 4)
        for hash in 1...3 as ClosedRange<UInt64> { _ = try await store.take([take(hash)], at: noon) }
        for hash in 1...3 as ClosedRange<UInt64> { try await store.refund([take(hash)], clearing: [], at: noon) }
        let left = store.table.withLock { $0.buckets.all }
        XCTAssertEqual(left, [:], "buckets of keys whose attempts succeeded")
    }

    /// A store in a database reads the buckets of a call, changes them in a table of its own, and writes them back.
    func testCountsGoOnInATableThatHoldsOnlyTheBucketsOfOneCall() throws {
        var all = AttemptTable(capacity: 1_000)
        for hash in [1, 2] as [UInt64] {
            XCTAssertEqual(all.take([take(hash)], at: noon), .taken, "the first attempt of key \(hash)")
            all.keep([take(hash)], at: noon)
        }
        var part = AttemptTable(capacity: 1_000)
        let bucket = part.bucket(of: take(1).key)
        part[bucket] = all[bucket]
        XCTAssertTrue(part.take([take(1)], at: noon).isRefused, "the count of key 1 came with its bucket")
        XCTAssertEqual(part.take([take(2)], at: noon), .taken, "the bucket of key 2 stayed where it was")
        part.refund([take(1)], clearing: [take(1).key], at: noon)
        all[bucket] = part[bucket]
        XCTAssertEqual(all.take([take(1)], at: noon), .taken, "key 1 after its count was cleared")
        XCTAssertTrue(all.take([take(2)], at: noon).isRefused, "key 2, whose count was not cleared")
    }

    /// Where all four places count, the least gives way, and every key without a place counts as much as that one did.
    func testAKeyTakesThePlaceOfTheOneThatCountsLeast() async throws {
        let store = InMemoryAttemptStore(capacity: 4)
        for hash in [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4] as [UInt64] {
            let answer = try await failedAttempt(hash, in: store)
            XCTAssertEqual(answer, .taken, "key \(hash)")
        }
        let fifth = try await failedAttempt(5, in: store)
        XCTAssertEqual(fifth, .taken, "the first attempt of a fifth key, which takes the place of the fourth")
        let sixth = try await failedAttempt(6, in: store)
        XCTAssertEqual(sixth, .taken, "the first attempt of a sixth key, which has counted two like the fourth")
        let again = try await failedAttempt(6, in: store)
        XCTAssertTrue(again.isRefused, "the second attempt of the sixth key")
        let fourth = try await failedAttempt(4, in: store)
        XCTAssertEqual(fourth, .taken, "the third attempt of the key that gave way")
        let full = try await failedAttempt(1, in: store)
        XCTAssertTrue(full.isRefused, "a fourth attempt of a key that kept its place")
    }
}

extension Store.TakeAnswer {
    fileprivate var isRefused: Bool { if case .refused = self { true } else { false } }
}
