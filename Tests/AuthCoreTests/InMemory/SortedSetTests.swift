import AuthCoreTesting
import XCTest

@testable import AuthCore

final class SortedSetTests: LimitedTestCase {
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
                for near in element - 1...element + 1 {
                    XCTAssertEqual(sorted.contains(near), plain.contains(near), "\(near), seed \(seed), step \(step)")
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

    func testAWalkOverFewElementsEnds() async throws {
        try await inTime {
            var sorted = SortedSet<Int>()
            for element in [1, 2, 3] { sorted.insert(element) }
            XCTAssertEqual(sorted.elements(limit: 5), [1, 2, 3], "all elements")
            XCTAssertEqual(sorted.elements(after: 1, limit: 1), [2], "one element")
            XCTAssertEqual(sorted.elements(limit: 0), [], "no element")
            XCTAssertEqual(sorted.elements(from: 2) { _ in true }, [2, 3], "the elements from one on")
            XCTAssertEqual(sorted.element(1, after: 2), 3, "an element at a distance")
            XCTAssertNil(sorted.element(2, after: 2), "an element behind the last one")
        }
    }

    func testAWalkOverSeveralChunksEnds() async throws {
        try await inTime {
            var sorted = SortedSet<Int>()
            for element in 0..<1500 { sorted.insert(element) }
            XCTAssertEqual(sorted.elements(limit: .max), Array(0..<1500), "all elements")
            XCTAssertEqual(sorted.elements(limit: 1100), Array(0..<1100), "the first elements")
            XCTAssertEqual(sorted.elements(after: 700, limit: 500), Array(701..<1201), "elements after one")
            XCTAssertEqual(sorted.elements(from: 100) { $0 < 1400 }, Array(100..<1400), "elements from one on")
            XCTAssertEqual(sorted.element(1200, after: 10), 1210, "an element at a distance")
            XCTAssertNil(sorted.element(2000, after: 10), "an element behind the last one")
            for element in 0..<1500 { XCTAssertTrue(sorted.remove(element), "the element \(element)") }
            XCTAssertTrue(sorted.isEmpty, "every element was removed")
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
        for element in 0..<1280 { sorted.insert(element) }
        let rest = Mirror(reflecting: sorted).descendant("rest").map { Mirror(reflecting: $0).children.map(\.value) }
        let counts = rest?.compactMap { (Mirror(reflecting: $0).descendant("elements") as? [Int])?.count }
        XCTAssertEqual(counts, Array(repeating: 128, count: 9), "elements in each chunk but the first")
    }

    /// The element is found without those before it, in the first chunk and behind it.
    func testTheElementAtADistance() {
        var sorted = SortedSet<Int>()
        XCTAssertNil(sorted.element(0, after: 5), "an empty set")
        for element in 0..<2000 { sorted.insert(element * 2) }
        for distance in [0, 1, 255, 256, 257, 700, 1999] {
            XCTAssertEqual(sorted.element(distance, after: 0), distance * 2, "distance \(distance) from the first")
        }
        XCTAssertEqual(sorted.element(0, after: 5), 6, "of an element that the set does not contain")
        XCTAssertEqual(sorted.element(1, after: 6), 8, "of an element that the set contains")
        XCTAssertNil(sorted.element(2000, after: 0), "behind the last")
        XCTAssertNil(sorted.element(0, after: 4000), "of an element behind the last")
    }

    /// The first elements of a chunk may be removed and come back.
    func testAnElementComesBackToTheStartOfItsChunk() {
        var sorted = SortedSet<Int>()
        for element in 0..<1280 { sorted.insert(element) }
        for element in 100..<1280 where element % 128 < 100 { XCTAssertTrue(sorted.remove(element), "\(element)") }
        for element in (100..<1280).reversed() where element % 128 < 100 {
            XCTAssertFalse(sorted.remove(element), "\(element) was removed")
            sorted.insert(element)
        }
        XCTAssertEqual(sorted.elements(limit: .max), Array(0..<1280), "all elements, in order")
        XCTAssertEqual(sorted.element(700, after: 50), 750, "an element at a distance")
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
