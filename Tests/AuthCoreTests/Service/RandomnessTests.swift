import AuthCoreTesting
import XCTest

@testable import AuthCore

/// Randomness that is drawn in blocks is as good as randomness drawn word by word.
final class RandomnessTests: XCTestCase {
    func testNoNumberOfTheSystemComesTwiceHoweverManyBlocksAreDrawn() {
        let environments = [AuthEnvironment.system, .system]
        var seen: Set<UInt128> = []
        for _ in 0..<1000 { for environment in environments { seen.insert(environment.randomBits()) } }
        XCTAssertEqual(seen.count, 2000)
    }

    func testEveryBitOfTheSystemsNumbersIsSometimesSetAndSometimesNot() {
        let environment = AuthEnvironment.system
        var everSet: UInt128 = 0
        var everClear: UInt128 = 0
        for _ in 0..<500 {
            let bits = environment.randomBits()
            everSet |= bits
            everClear |= ~bits
        }
        XCTAssertEqual(everSet, .max)
        XCTAssertEqual(everClear, .max)
    }

    func testAnEnvironmentHandsOutWhatItsGeneratorDrawsInItsOrder() {
        let environment = AuthEnvironment(randomness: SeededGenerator(seed: 5))
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let (high, low) = (generator.next(), generator.next())
            XCTAssertEqual(environment.randomBits(), UInt128(high) << 64 | UInt128(low))
        }
    }

    func testBytesAreThoseOfTheNumbersTheLowestFirst() {
        var generator = SeededGenerator(seed: 5)
        let numbers = (0..<3).map { _ in generator.next() }
        let expected = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        XCTAssertEqual(AuthEnvironment(randomness: SeededGenerator(seed: 5)).randomBytes(24), expected)
    }

    func testBytesAreAsManyAsAskedFor() {
        let environment = AuthEnvironment.system
        for count in [0, 1, 7, 8, 9, 33, 5000] { XCTAssertEqual(environment.randomBytes(count).count, count) }
    }
}
