import AuthCoreTesting
import XCTest

@testable import AuthCore

/// The tables of the in-memory store beside dictionaries that do the same.
final class TableTests: XCTestCase {
    private struct Pair: TableRow {
        let key: Int
        var value: Int

        func isNamed(_ key: Int) -> Bool { self.key == key }
    }

    func testATableFindsWhatADictionaryFinds() {
        for seed in 1...20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var table = Table<Pair>()
            var expected: [Int: Int] = [:]
            // More keys than rows, so that every kind of operation meets keys that are there and keys that are not.
            let keys = [8, 60, 500, 3000][seed % 4]
            for step in 0..<4000 {
                let key = Int.random(in: 0..<keys, using: &generator)
                let number = table.find(key)
                XCTAssertEqual(table[number ?? .none]?.value, expected[key])
                switch (number, Int.random(in: 0..<3, using: &generator)) {
                case (nil, 0), (nil, 1):
                    let new = table.insert(Pair(key: key, value: step), under: key)
                    XCTAssertEqual(table[new]?.key, key)
                    expected[key] = step
                case (let number?, 0):
                    table.remove(number, under: key)
                    XCTAssertNil(table.find(key))
                    expected[key] = nil
                case (let number?, 1):
                    table[number]?.value = -step
                    expected[key] = -step
                default: break
                }
                XCTAssertEqual(table.count, expected.count)
            }
            for key in 0..<keys { XCTAssertEqual(table.row(key)?.value, expected[key]) }
            XCTAssertEqual(Dictionary(uniqueKeysWithValues: table.all.map { ($0.key, $0.value) }), expected)
        }
    }

    func testATableKeepsEveryRowWhileItGrowsAndShrinksToNothing() {
        var table = Table<Pair>()
        var numbers: [RowNumber] = []
        for key in 0..<20_000 { numbers.append(table.insert(Pair(key: key, value: key), under: key)) }
        XCTAssertEqual(Set(numbers).count, 20_000)
        for key in 0..<20_000 { XCTAssertEqual(table.find(key), numbers[key]) }
        for key in 0..<20_000 { table.remove(numbers[key], under: key) }
        XCTAssertEqual(table.count, 0)
        XCTAssertEqual(Array(table.all).count, 0)
        for key in 0..<20_000 { XCTAssertNil(table.find(key)) }
        XCTAssertTrue(numbers.contains(table.insert(Pair(key: 1, value: 1), under: 1)), "a number is used again")
    }

    func testACopyOfATableIsATableOfItsOwn() {
        var table = Table<Pair>()
        let number = table.insert(Pair(key: 1, value: 1), under: 1)
        let copy = table
        table[number]?.value = 2
        _ = table.insert(Pair(key: 2, value: 2), under: 2)
        table.remove(number, under: 1)
        XCTAssertEqual(copy.row(1)?.value, 1)
        XCTAssertNil(copy.find(2))
        XCTAssertNil(table.find(1))
    }

    func testNoRowHasTheNumberOfNone() {
        var table = Table<Pair>()
        XCTAssertNil(table[.none])
        table[.none]?.value = 1
        table[.none] = Pair(key: 1, value: 1)
        XCTAssertNil(table[.none])
        XCTAssertNil(table.find(1))
    }

    func testRowsWhoseHashesCollideAreToldApart() {
        var generator = SeededGenerator(seed: 3)
        var index = RowIndex()
        var expected: [RowNumber: UInt32] = [:]
        // Few hashes, at both ends and in the middle, so that long runs form and reach the end.
        let hashes: [UInt32] = [0, 1, .max / 2, .max - 1, .max]
        for _ in 0..<20_000 {
            let row = RowNumber.random(in: 0..<700, using: &generator)
            if let hash = expected.removeValue(forKey: row) {
                index.remove(row, hash: hash)
            } else {
                let hash = hashes[Int.random(in: 0..<hashes.count, using: &generator)]
                index.insert(row, hash: hash)
                expected[row] = hash
            }
            XCTAssertEqual(index.count, expected.count)
            let asked = RowNumber.random(in: 0..<700, using: &generator)
            for hash in hashes {
                let found = index.row(hash: hash) { $0 == asked }
                XCTAssertEqual(found, expected[asked] == hash ? asked : nil)
            }
        }
    }

    func testTakingOutWhatIsNotThereChangesNothing() {
        var index = RowIndex()
        index.insert(1, hash: 5)
        index.remove(2, hash: 5)
        index.remove(1, hash: 6)
        XCTAssertEqual(index.count, 1)
        XCTAssertEqual(index.row(hash: 5) { _ in true }, 1)
    }
}
