import AuthCoreTesting
import XCTest

@testable import AuthCore

final class ShardedDictionaryTests: XCTestCase {
    func testAMissingKeyHasTheDefaultAndAKeyThatIsThereItsValue() throws {
        let ann = try XCTUnwrap(EmailAddress("ann@example.com"))
        var counts = ShardedDictionary<EmailAddress, Int>()
        XCTAssertEqual(counts[ann, default: 7], 7, "a key that is not there")
        XCTAssertTrue(counts.isEmpty, "reading a default writes nothing")
        counts[ann, default: 7] += 1
        XCTAssertEqual(counts[ann, default: 0], 8, "a key that was written through its default")
        counts[ann] = nil
        XCTAssertTrue(counts.isEmpty, "a key that was removed")
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

    /// A shard that grows moves all of its entries while others wait, so each may have only a small part of them.
    func testKeysOfEveryKindSpreadOverTheShards() throws {
        let count = 40_960
        func assertSpread<Key: ShardedKey>(_ key: (Int) throws -> Key?, line: UInt = #line) rethrows {
            var dictionary = ShardedDictionary<Key, Int>()
            for number in 0..<count { if let key = try key(number) { dictionary[key] = number } }
            XCTAssertEqual(dictionary.all.count, count, "entries of \(Key.self)", line: line)
            // 1024 shards would have 40 each; two million entries must not be many thousands in one.
            XCTAssertLessThan(dictionary.fullestShard, 80, "entries of the fullest shard of \(Key.self)", line: line)
        }
        var generator = SeededGenerator(seed: 5)
        assertSpread { EmailAddress("person\($0)@example.com") }
        assertSpread { PhoneNumber("+1555\(1_000_000 + $0)") }
        assertSpread { Identity.Key(issuer: "https://issuer.example", subject: "\($0)") }
        assertSpread { AccountID("account\($0)") }
        assertSpread { _ in SessionID(bits: .random(in: .min ... .max, using: &generator)) }
        assertSpread { OneTimeRecordID(digestOf: "record \($0)") }
        assertSpread { AttemptTable.BucketID(purpose: .mail, index: UInt64($0)) }
    }
}
