import AuthCoreTesting
import XCTest

@testable import AuthCore

final class ShardedDictionaryTests: LimitedTestCase {
    func testAKeyIsEditedFromNothingAndToNothing() throws {
        let ann = try XCTUnwrap(EmailAddress("ann@example.com"))
        var counts = ShardedDictionary<EmailAddress, Count>()
        counts.edit(ann) { XCTAssertEqual($0, Count(), "a key that is not there") }
        XCTAssertTrue(counts.isEmpty, "what stayed empty is not kept")
        counts.edit(ann) { $0.number += 7 }
        counts.edit(ann) { $0.number += 1 }
        XCTAssertEqual(counts[ann], Count(number: 8), "a key that was edited twice")
        counts.edit(ann) { $0.number = 0 }
        XCTAssertTrue(counts.isEmpty, "what became empty is removed")
    }

    private struct Count: EmptyValue, Equatable, Sendable {
        var number = 0
        var isEmpty: Bool { number == 0 }
    }

    func testEachByteOfATextHasAPartInItsNumber() async throws {
        try await inTime {
            for length in 0..<34 {
                let text = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                var numbers: Set = [String(decoding: text, as: UTF8.self).digest]
                for position in 0..<length {
                    var other = text
                    other[position] = UInt8(ascii: "y")
                    numbers.insert(String(decoding: other, as: UTF8.self).digest)
                }
                XCTAssertEqual(numbers.count, length + 1, "numbers of texts of \(length) bytes that differ in one")
            }
        }
    }

    func testTextsOfOneByteEachOfAnotherLengthHaveOtherNumbers() {
        let numbers = Set((0..<100).map { String(repeating: "\0", count: $0).digest })
        XCTAssertEqual(numbers.count, 100, "the length has a part in the number")
    }

    /// Texts whose second half makes up for how the first halves differ, if words are only multiplied.
    func testTextsThatAreChosenForItDoNotShareANumber() throws {
        func mixed(_ half: String) -> UInt64 {
            let word = half.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let product = (word ^ 16) &* 0x9E37_79B9_7F4A_7C15
            return product ^ product >> 32
        }
        let visible = UInt8(0x21)...0x7E
        let first = "10000000"
        var pairs = 0
        for other in (1..<2000).map({ String(10_000_000 + $0) }) {
            let difference = mixed(first) ^ mixed(other)
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: difference >> (8 * $0)) }
            // Letters that stay visible when they are combined with the difference.
            let end = bytes.compactMap { byte in visible.first { visible.contains($0 ^ byte) } }
            guard end.count == bytes.count else { continue }
            let otherEnd = zip(end, bytes).map { $0 ^ $1 }
            let text = first + String(decoding: end, as: UTF8.self)
            let otherText = other + String(decoding: otherEnd, as: UTF8.self)
            XCTAssertNotEqual(text.digest, otherText.digest, "\(text) and \(otherText) share their number")
            pairs += 1
        }
        XCTAssertGreaterThan(pairs, 0, "pairs of texts")
    }

    func testADictionaryOfFewEntriesHasOneShardAndOneOfManyHasMore() {
        var dictionary = ShardedDictionary<AttemptTable.BucketID, Int>()
        let key = { (number: Int) in AttemptTable.BucketID(purpose: .mail, index: UInt64(number)) }
        for number in 0..<128 { dictionary[key(number)] = number }
        XCTAssertEqual(dictionary.shards.map(\.count), [128], "as many entries as one shard takes")
        for number in 128..<1280 {
            dictionary[key(number)] = number
            XCTAssertEqual(dictionary.shards.count, number / 128 + 1, "shards of \(number + 1) entries")
        }
        // Ten shards: the first two and the last two have been split a fourth time.
        XCTAssertEqual(dictionary.shards.map(\.count), [80, 80, 160, 160, 160, 160, 160, 160, 80, 80])
        for number in 0..<1280 { XCTAssertEqual(dictionary[key(number)], number, "the entry \(number)") }
        for number in 0..<1280 { XCTAssertEqual(dictionary.removeValue(forKey: key(number)), number, "\(number)") }
        XCTAssertTrue(dictionary.isEmpty, "every entry was removed")
        for number in 0..<1280 { dictionary[key(number)] = number }
        XCTAssertEqual(dictionary.shards.count, 10, "what was removed makes room")
    }

    func testEachWayToAddAnEntryMakesMoreShards() {
        let key = { (number: Int) in AttemptTable.BucketID(purpose: .mail, index: UInt64(number)) }
        var set = ShardedDictionary<AttemptTable.BucketID, Int>()
        var edited = ShardedDictionary<AttemptTable.BucketID, Count>()
        for number in 0..<257 {
            for _ in 1...2 {
                set[key(number)] = number
                edited.edit(key(number)) { $0.number += 1 }
            }
        }
        for (name, shards, count) in [
            ("set", set.shards.count, set.all.count), ("edited", edited.shards.count, edited.all.count),
        ] {
            XCTAssertEqual(shards, 3, "shards for 257 entries that were \(name)")
            XCTAssertEqual(count, 257, "entries that were \(name), each of them once")
        }
    }

    /// What one write moves does not grow with the dictionary.
    func testShardsOfManyEntriesAreAsSmallAsThoseOfFew() {
        var dictionary = ShardedDictionary<AttemptTable.BucketID, Void>()
        for number in 0..<400_000 as Range<UInt64> { dictionary[.init(purpose: .mail, index: number)] = () }
        XCTAssertEqual(dictionary.shards.count, 3125, "shards of 400,000 entries")
        XCTAssertLessThanOrEqual(dictionary.fullestShard, 256, "entries that one write moves at most")
    }

    /// A shard that is split moves all of its entries while others wait, so each may have only a small part of them.
    func testKeysOfEveryKindSpreadOverTheShards() throws {
        let count = 40_960
        func assertSpread<Key: ShardedKey>(_ key: (Int) throws -> Key?, line: UInt = #line) rethrows {
            var dictionary = ShardedDictionary<Key, Int>()
            for number in 0..<count { if let key = try key(number) { dictionary[key] = number } }
            XCTAssertEqual(dictionary.all.count, count, "entries of \(Key.self)", line: line)
            // 320 shards; those that are not split yet have 160 entries each.
            XCTAssertLessThan(dictionary.fullestShard, 240, "entries of the fullest shard of \(Key.self)", line: line)
        }
        var generator = SeededGenerator(seed: 5)
        assertSpread { EmailAddress("person\($0)@example.com") }
        assertSpread { PhoneNumber("+1555\(1_000_000 + $0)") }
        assertSpread { Identity.Key(issuer: "https://issuer.example", subject: "\($0)") }
        assertSpread { AccountID("account\($0)") }
        assertSpread { _ in SessionID(bits: .random(in: .min ... .max, using: &generator)) }
        assertSpread { OneTimeRecordID(digestOf: "record \($0)") }
        // Digests of texts that were chosen so that their last 40 bits are the same.
        assertSpread { OneTimeRecordID(bits: UInt128($0) << 40) }
        assertSpread { AttemptTable.BucketID(purpose: .mail, index: UInt64($0)) }
    }
}
