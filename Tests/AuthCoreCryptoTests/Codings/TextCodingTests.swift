import XCTest

@testable import AuthCoreCrypto

final class TextCodingTests: LimitedTestCase {
    func testBase64URLGivesTheValuesOfRFC4648WithoutPadding() {
        let vectors = [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ]
        for (plain, encoded) in vectors {
            XCTAssertEqual(Base64URL.encode(bytes(plain)), encoded)
            XCTAssertEqual(Base64URL.decode(encoded), bytes(plain), encoded)
        }
        XCTAssertEqual(Base64URL.encode([0xfb, 0xff, 0xfe]), "-__-")
    }

    func testBase32GivesTheValuesOfRFC4648WithoutPadding() {
        let vectors = [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ]
        for (plain, encoded) in vectors {
            XCTAssertEqual(Base32.encode(bytes(plain)), encoded)
            XCTAssertEqual(Base32.decode(encoded), bytes(plain), encoded)
            XCTAssertEqual(Base32.decode(encoded.lowercased()), bytes(plain), encoded)
        }
    }

    func testEveryByteSurvivesTheRoundTrip() {
        for length in 0..<20 {
            let plain = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length &* 17) }
            XCTAssertEqual(Base64URL.decode(Base64URL.encode(plain)), plain)
            XCTAssertEqual(Base32.decode(Base32.encode(plain)), plain)
        }
    }

    func testAPartOfSomeBytesIsEncodedAsItsBytesAlone() {
        let plain = (0..<20).map { UInt8($0 * 13) }
        for first in 0...4 {
            for end in first...20 {
                let encoded = Base64URL.encode(plain[first..<end])
                XCTAssertEqual(encoded, Base64URL.encode(Array(plain[first..<end])), "the bytes \(first) to \(end)")
            }
        }
    }

    func testTextThatIsNotBase64URLIsRefused() {
        // At each place of a whole group.
        for text in ["?m9v", "Z?9v", "Zm?v", "Zm9?"] { XCTAssertNil(Base64URL.decode(text), text) }
        for text in [
            "A", "AAAAA", "Zg==", "Zh", "Zm9", "AAC", "Zm+v", "Zm/v", "Zm 9v", "Zm9v\n", "Zm9v\0", "é", "Zм9v", "🙂",
        ] {
            XCTAssertNil(Base64URL.decode(text), text)
        }
    }

    func testTextThatIsNotBase32IsRefused() {
        for text in [
            "A", "AAA", "AAAAAA", "MY======", "MZ", "M0", "M1", "M8", "MY MY", "M-Y", "ＭＹ", "@Y", "[Y", "`Y", "{Y",
        ] {
            XCTAssertNil(Base32.decode(text), text)
        }
    }

    func testByteStringsAreEqualOnlyWhenEveryByteIs() {
        XCTAssertTrue(equalInConstantTime([], []))
        XCTAssertTrue(equalInConstantTime([1, 2, 3], [1, 2, 3]))
        XCTAssertFalse(equalInConstantTime([1, 2, 3], [1, 2]))
        XCTAssertFalse(equalInConstantTime([], [0]))
        for index in 0..<8 {
            for bit in 0..<8 {
                var other = [UInt8](repeating: 0x5a, count: 8)
                other[index] ^= 1 << UInt8(bit)
                XCTAssertFalse(equalInConstantTime(Array(repeating: 0x5a, count: 8), other))
            }
        }
    }

    func testRandomBytesComeInTheLengthAskedFor() {
        for count in [-1, 0, 1, 7, 8, 9, 16, 33] {
            XCTAssertEqual(randomBytes(count).count, max(0, count))
        }
        XCTAssertNotEqual(randomBytes(16), randomBytes(16))
    }
}
