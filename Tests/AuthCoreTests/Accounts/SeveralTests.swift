import Foundation
import XCTest

@testable import AuthCore

/// `Several` behaves as the array whose place it takes.
final class SeveralTests: XCTestCase {
    func testAppendingAndRemovingKeepTheOrderOfAnArray() {
        var several = Several<Int>.none
        var array: [Int] = []
        for number in [3, 1, 2, 1] {
            several.append(number)
            array.append(number)
            XCTAssertEqual(several.all, array)
            XCTAssertEqual(several.isEmpty, array.isEmpty)
        }
        for number in [1, 5, 3, 2] {
            several.removeAll { $0 == number }
            array.removeAll { $0 == number }
            XCTAssertEqual(several.all, array)
            XCTAssertEqual(several.isEmpty, array.isEmpty)
            XCTAssertEqual(several.contains(2), array.contains(2))
        }
    }

    func testTwoThatHoldTheSameAreEqualWhateverTheirForm() {
        XCTAssertEqual(Several<Int>.many([]), .none)
        XCTAssertEqual(Several.many([1]), .one(1))
        XCTAssertEqual(Several.many([1]).hashValue, Several.one(1).hashValue)
        XCTAssertNotEqual(Several.one(1), .one(2))
        XCTAssertNotEqual(Several.many([1, 2]), .many([2, 1]))
    }

    func testItIsEncodedAsAnArray() throws {
        for array in [[], [7], [7, 8]] {
            let data = try JSONEncoder().encode(Several(array))
            XCTAssertEqual(data, try JSONEncoder().encode(array))
            XCTAssertEqual(try JSONDecoder().decode(Several<Int>.self, from: data).all, array)
        }
    }

    func testABoxIsEncodedAsWhatIsInIt() throws {
        let data = try JSONEncoder().encode([Boxed("a")])
        XCTAssertEqual(String(decoding: data, as: UTF8.self), #"["a"]"#)
        XCTAssertEqual(try JSONDecoder().decode([Boxed<String>].self, from: data), [Boxed("a")])
    }
}
