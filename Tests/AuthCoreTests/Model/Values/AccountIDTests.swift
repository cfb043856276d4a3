import XCTest

@testable import AuthCore

final class AccountIDTests: LimitedTestCase {
    private let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// The digits of a number to the base of 62, the lowest first.
    private func digits(_ number: UInt64, _ count: Int) -> String {
        var (rest, text) = (number, "")
        for _ in 0..<count {
            text.append(letters[Int(rest % 62)])
            rest /= 62
        }
        return text
    }

    func testAnIDOfBitsHasTenLettersOfTheLowHalfAndFiveOfTheHighOne() {
        for (high, low) in [
            (0, 0), (0, 1), (1, 0), (0, 61), (0, 62), (61, 0), (62, 3844), (.max, .max), (0x0123_4567_89AB_CDEF, 42),
        ] as [(UInt64, UInt64)] {
            let id = AccountID(bits: UInt128(high) << 64 | UInt128(low))
            XCTAssertEqual(id.text, digits(low, 10) + digits(high, 5), "the ID of \(high) and \(low)")
        }
    }

    func testOneBitMakesAnotherID() {
        let ids = Set((0..<120).map { AccountID(bits: 1 << UInt128($0)).text })
        XCTAssertGreaterThan(ids.count, 88, "IDs of single bits")
    }
}
