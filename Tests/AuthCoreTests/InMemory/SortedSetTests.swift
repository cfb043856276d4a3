import AuthCoreTesting
import XCTest

@testable import AuthCore

final class SortedSetTests: XCTestCase {
    func testRandomChangesLeaveWhatAPlainSetHolds() {
        for seed in 1...5 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var sorted = SortedSet<Int>()
            var plain: Set<Int> = []
            for step in 0..<6000 {
                let element = Int.random(in: 0..<4000, using: &generator)
                // First it grows, later it shrinks.
                if Int.random(in: 0..<6000, using: &generator) > step {
                    sorted.insert(element)
                    plain.insert(element)
                } else {
                    let isFound = sorted.remove(element)
                    XCTAssertEqual(isFound, plain.remove(element) != nil, "seed \(seed), step \(step)")
                }
                if step % 500 == 0 {
                    XCTAssertEqual(sorted.elements(limit: .max), plain.sorted(), "seed \(seed), step \(step)")
                    let after = plain.filter { $0 > element }.sorted().prefix(300)
                    XCTAssertEqual(sorted.elements(after: element, limit: 300), Array(after), "after \(element)")
                }
                XCTAssertEqual(sorted.isEmpty, plain.isEmpty)
            }
            for element in plain { XCTAssertTrue(sorted.remove(element), "\(element)") }
            XCTAssertTrue(sorted.isEmpty)
            XCTAssertNil(sorted.first)
        }
    }

    func testElementsFromOneOnGoOnThroughAllChunksAsLongAsTheyAreWanted() {
        var sorted = SortedSet<Int>()
        for element in 0..<2000 { sorted.insert(2 * element) }
        for (first, end) in [(0, 4000), (1, 3), (100, 102), (510, 514), (700, 3100), (3999, 5000)] {
            XCTAssertEqual(
                sorted.elements(from: first) { $0 < end },
                (0..<2000).map { 2 * $0 }.filter { $0 >= first && $0 < end },
                "from \(first), below \(end)"
            )
        }
        XCTAssertEqual(SortedSet<Int>().elements(from: 0) { _ in true }, [], "of an empty set")
    }

    /// Half full chunks would take twice the memory, and most elements come in their order.
    func testElementsInTheirOrderFillTheirChunks() {
        var sorted = SortedSet<Int>()
        for element in 0..<2560 { sorted.insert(element) }
        let rest = Mirror(reflecting: sorted).descendant("rest") as? [[Int]]
        XCTAssertEqual(rest?.map(\.count), Array(repeating: 256, count: 9), "elements in each chunk but the first")
    }

    func testElementsInTheirOrderAndAgainstIt() {
        for elements in [Array(0..<2000), Array((0..<2000).reversed())] {
            var sorted = SortedSet<Int>()
            for element in elements + elements { sorted.insert(element) }
            XCTAssertEqual(sorted.elements(limit: .max), Array(0..<2000))
            XCTAssertEqual(sorted.elements(limit: 3), [0, 1, 2])
            XCTAssertEqual(sorted.elements(limit: 0), [])
            XCTAssertEqual(sorted.first, 0)
            for element in elements { XCTAssertTrue(sorted.remove(element), "\(element)") }
            XCTAssertTrue(sorted.isEmpty)
        }
    }
}
