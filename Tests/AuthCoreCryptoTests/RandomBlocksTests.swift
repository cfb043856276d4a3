import XCTest

@testable import AuthCoreCrypto

/// Randomness that is drawn in blocks is as good as randomness drawn word by word.
final class RandomBlocksTests: LimitedTestCase {
    /// Counts in steps of a word whose bytes are all different.
    private struct Counter: RandomNumberGenerator {
        private var last: UInt64 = 0

        mutating func next() -> UInt64 {
            last &+= 0x0123_4567_89AB_CDEF
            return last
        }
    }

    private let system = RandomBlocks(SystemRandomNumberGenerator())

    func testNoNumberOfTheSystemComesTwiceHoweverManyBlocksAreDrawn() {
        let blocks = [system, RandomBlocks(SystemRandomNumberGenerator())]
        var seen: Set<UInt128> = []
        for _ in 0..<1000 { for block in blocks { seen.insert(block.bits()) } }
        XCTAssertEqual(seen.count, 2000, "numbers of which none came twice")
    }

    func testEveryBitOfTheSystemsNumbersIsSometimesSetAndSometimesNot() {
        var everSet: UInt128 = 0
        var everClear: UInt128 = 0
        for _ in 0..<500 {
            let bits = system.bits()
            everSet |= bits
            everClear |= ~bits
        }
        XCTAssertEqual(everSet, .max, "bits that were set in some number")
        XCTAssertEqual(everClear, .max, "bits that were clear in some number")
    }

    func testNumbersAreWhatTheGeneratorDrawsInItsOrder() {
        let blocks = RandomBlocks(Counter())
        var generator = Counter()
        func number() -> UInt128 {
            let high = generator.next()
            return UInt128(high) << 64 | UInt128(generator.next())
        }
        for round in 0..<100 {
            XCTAssertEqual(blocks.bits(), number(), "the single number of round \(round)")
            let drawn = blocks.draw { next in [next(), next()] }
            XCTAssertEqual(drawn, [number(), number()], "the two numbers of round \(round)")
        }
    }

    func testBytesAreThoseOfTheNumbersTheLowestFirst() {
        var generator = Counter()
        let numbers = (0..<3).map { _ in generator.next() }
        let expected = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        XCTAssertEqual(RandomBlocks(Counter()).bytes(24), expected, "the bytes of three numbers")
    }

    func testBytesAreAsManyAsAskedFor() {
        for count in [0, 1, 7, 8, 9, 33, 5000] {
            XCTAssertEqual(system.bytes(count).count, count, "how many bytes came of \(count)")
        }
    }
}
