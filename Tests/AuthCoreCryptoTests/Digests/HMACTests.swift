import XCTest

@testable import AuthCoreCrypto

final class HMACTests: LimitedTestCase {
    private struct Vector {
        let name: String
        let key: [UInt8]
        let message: [UInt8]
        let expected: String
    }

    private static let longText =
        "This is a test using a larger than block-size key and a larger than block-size data. "
        + "The key needs to be hashed before being used by the HMAC algorithm."

    func testHMACSHA256GivesTheValuesOfRFC4231() {
        let vectors = [
            Vector(
                name: "case 1",
                key: Array(repeating: 0x0b, count: 20),
                message: bytes("Hi There"),
                expected: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            Vector(
                name: "case 2",
                key: bytes("Jefe"),
                message: bytes("what do ya want for nothing?"),
                expected: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            Vector(
                name: "case 3",
                key: Array(repeating: 0xaa, count: 20),
                message: Array(repeating: 0xdd, count: 50),
                expected: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            Vector(
                name: "case 4",
                key: Array(1...25),
                message: Array(repeating: 0xcd, count: 50),
                expected: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            Vector(
                name: "case 6",
                key: Array(repeating: 0xaa, count: 131),
                message: bytes("Test Using Larger Than Block-Size Key - Hash Key First"),
                expected: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            Vector(
                name: "case 7",
                key: Array(repeating: 0xaa, count: 131),
                message: bytes(Self.longText),
                expected: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ]
        for vector in vectors {
            let found = HMACSHA256(key: vector.key).authenticate(vector.message)
            XCTAssertEqual(hexadecimal(found), vector.expected, vector.name)
        }
    }

    func testHMACSHA1GivesTheValuesOfRFC2202() {
        let vectors = [
            Vector(
                name: "case 1",
                key: Array(repeating: 0x0b, count: 20),
                message: bytes("Hi There"),
                expected: "b617318655057264e28bc0b6fb378c8ef146be00"
            ),
            Vector(
                name: "case 2",
                key: bytes("Jefe"),
                message: bytes("what do ya want for nothing?"),
                expected: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
            ),
            Vector(
                name: "case 3",
                key: Array(repeating: 0xaa, count: 20),
                message: Array(repeating: 0xdd, count: 50),
                expected: "125d7342b9ac11cd91a39af48aa17b4f63f175d3"
            ),
            Vector(
                name: "case 4",
                key: Array(1...25),
                message: Array(repeating: 0xcd, count: 50),
                expected: "4c9007f4026250c6bc8414f9bf50c86c2d7235da"
            ),
            Vector(
                name: "case 6",
                key: Array(repeating: 0xaa, count: 80),
                message: bytes("Test Using Larger Than Block-Size Key - Hash Key First"),
                expected: "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
        ]
        for vector in vectors {
            let found = HMACSHA1.authenticate(vector.message, key: vector.key)
            XCTAssertEqual(hexadecimal(found), vector.expected, vector.name)
        }
    }

    /// Computed by another library: RFC 2104 hashes a key that is longer than a block, and not one that fills it.
    func testOnlyAKeyThatIsLongerThanABlockIsHashed() {
        let codes = [
            64: (
                "ebef34e13d0a0fe04593d043bc7a865106db0604211d404c18206d862e5d7852",
                "e83ee1c362c86cc004df4f912a641c1bd844f36c"
            ),
            65: (
                "00af6c42340b99e2e1d9a1cdf1547be431fe2e9bab3215c68d013ba858891927",
                "5c0fb63dc6aea0bed8fa2f8ea120a144e15cbd50"
            ),
        ]
        for (count, expected) in codes {
            let key = [UInt8](repeating: 0xaa, count: count)
            let longer = hexadecimal(HMACSHA256(key: key).authenticate("Hi There"))
            XCTAssertEqual(longer, expected.0, "SHA-256 with a key of \(count) bytes")
            let shorter = hexadecimal(HMACSHA1.authenticate(bytes("Hi There"), key: key))
            XCTAssertEqual(shorter, expected.1, "SHA-1 with a key of \(count) bytes")
        }
    }

    func testAKeyIsNeitherPrintedNorReflected() {
        struct Holder { let hmac: HMACSHA256 }
        let holder = Holder(hmac: HMACSHA256(key: bytes("Jefe")))
        var dumped = ""
        dump(holder, to: &dumped)
        let shown = "\(holder) \(String(reflecting: holder)) \(dumped)"
        XCTAssertFalse(shown.contains("inner") || shown.contains("outer"), shown)
        XCTAssertTrue(Mirror(reflecting: holder.hmac).children.isEmpty)
        XCTAssertEqual("\(holder.hmac)", "HMACSHA256")
    }
}
