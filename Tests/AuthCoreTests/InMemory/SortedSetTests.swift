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
