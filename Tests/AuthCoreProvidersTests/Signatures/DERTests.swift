import Foundation
import XCTest

@testable import AuthCoreProviders

/// The forms that keys and signatures are written in, at the lengths where they change.
final class DERTests: LimitedTestCase {
    private func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }

    func testALengthOf128HasABytesCountBeforeIt() {
        XCTAssertEqual(DER.sequence(), [0x30, 0])
        XCTAssertEqual(DER.sequence(bytes(127)).prefix(3), [0x30, 0x7F, 7], "the longest short form")
        XCTAssertEqual(DER.sequence(bytes(128)).prefix(4), [0x30, 0x81, 0x80, 7], "the shortest long form")
        XCTAssertEqual(DER.sequence(bytes(255)).prefix(4), [0x30, 0x81, 0xFF, 7])
        XCTAssertEqual(DER.sequence(bytes(256)).prefix(5), [0x30, 0x82, 0x01, 0x00, 7])
        XCTAssertEqual(DER.sequence(bytes(256)).count, 260, "everything is there")
        XCTAssertEqual(DER.sequence([1], [2, 3]), [0x30, 3, 1, 2, 3], "parts one after another")
    }

    func testANumberIsAsShortAsItCanBeAndNotNegative() {
        XCTAssertEqual(DER.integer([0, 0, 1]), [2, 1, 1])
        XCTAssertEqual(DER.integer([0x7F]), [2, 1, 0x7F])
        XCTAssertEqual(DER.integer([0x80]), [2, 2, 0, 0x80], "a first bit that is set would be a sign")
        XCTAssertEqual(DER.integer([0]), [2, 1, 0])
        XCTAssertEqual(DER.integer([]), [2, 1, 0])
        XCTAssertEqual(DER.bitString([9]), [3, 2, 0, 9])
        XCTAssertEqual(DER.null, [5, 0])
    }

    private func publicKey(_ key: TestKey) throws -> PublicKey { try JSONWebKey(key.webKey()).publicKey }

    /// As `openssl pkey -pubout` writes them.
    func testAPublicKeyIsWrittenWithItsAlgorithm() throws {
        for (key, text) in [
            (
                TestKey.rsa,
                "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqyOXVs7W66lqpPMTb5kOX5NZwO4hDbkYg2Kw3evqYE7JHOFONuPfBb0F"
                    + "h5mruDdPie3IF82/j+33mSIBvV5bvokVsiFzIUcTF8+Ng3C2EgzgpeA6wtimCk/rtz562y7oLbVyfrCl+ihRu1Cg7dvjJR3E"
                    + "tW7MkiAMgBe8gP2YtTLKBCYIJjAwvNWv8G7dadLqS0JBryMXVMZ+tLdXjWmNPu7Bsyp8a8Tf3ti6cXMQapxZr4P3ilAP67Mx"
                    + "AO3PZrhHuDfPQP5NdglTkkLV1YmPKyfyEz+m5/7Bum4THtH2d7KVWLsK4kLYRp77I+3t2+R+WzpnYhRSmwZtZ1WafsPyKQID"
                    + "AQAB"
            ),
            (
                .p256,
                "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMJA0x3Okk62dI8fQhnAW0/KNTQ6coT/DLiZi8tLFgP+fTvn/LV90G84c1ZE4OsSl"
                    + "ITHGx5amU77rEzaFmao5yA=="
            ),
            (
                .p384,
                "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE8IZUu/X3FXW8rUkEAc9b+v1PG58N2NuHFQvndstPI0GR5tqOQkEppvmNG7F0NG+65283"
                    + "Vorwuhy4FEdCrtYTdDY/vqCxHvVBzi7qDBp7oBu7XMcKh3OJMtmFLF3cA+op"
            ),
            (.ed25519, "MCowBQYDK2VwAyEAUybA9lUUtvSqYFzFhheftpnnV7r6U+xmwRS02KVJa20="),
        ] {
            let written = Data(try publicKey(key).subjectPublicKeyInfo).base64EncodedString()
            XCTAssertEqual(written, text, "the key \(key)")
        }
    }

    func testASignatureHasOneLengthAndIsWrittenAsLibrariesExpectIt() throws {
        for (key, count) in [(TestKey.rsa, 256), (.p256, 64), (.p384, 96), (.ed25519, 64)] {
            let publicKey = try publicKey(key)
            for length in [0, 63, 64, 65, 95, 96, 97, 255, 256, 257] {
                let isRight = publicKey.hasLength(bytes(length))
                XCTAssertEqual(isRight, length == count, "a signature of \(length) bytes by \(key)")
            }
        }
        for (key, half) in [(TestKey.p256, 32), (.p384, 48)] {
            let (first, second) = ([UInt8](repeating: 1, count: half), [UInt8](repeating: 0x80, count: half))
            let numbers = [2, UInt8(half)] + first + [2, UInt8(half + 1), 0] + second
            let written = try publicKey(key).encoded(first + second)
            XCTAssertEqual(written, [0x30, UInt8(numbers.count)] + numbers, "two numbers, by \(key)")
        }
        for key in [TestKey.rsa, .ed25519] {
            XCTAssertEqual(try publicKey(key).encoded(bytes(64)), bytes(64), "bytes that stay as they are, by \(key)")
        }
    }

    func testTheNumbersOfASignatureAreReadFromTheirShortFormOnly() {
        func number(_ count: Int, _ first: UInt8 = 7) -> [UInt8] {
            [2, UInt8(count), first] + bytes(count - 1)
        }
        let two = number(2) + number(3)
        XCTAssertEqual(DER.halves(of: [0x30, 9] + two, byteCount: 3), [0, 7, 7, 7, 7, 7], "of equal lengths")
        XCTAssertEqual(
            DER.halves(of: [0x30, 8] + number(2, 0) + number(2), byteCount: 1),
            nil,
            "too long for the curve"
        )
        XCTAssertEqual(
            DER.halves(of: [0x30, 7] + number(2, 0) + number(1), byteCount: 1),
            [7, 7],
            "a zero before the digits"
        )
        let longest = number(62) + number(61)
        XCTAssertEqual(DER.halves(of: [0x30, 127] + longest, byteCount: 62)?.count, 124, "127 bytes")
        let longer = number(62) + number(62)
        XCTAssertNil(DER.halves(of: [0x30, 128] + longer, byteCount: 62), "a length of 128 is no length")
        for (what, signature) in [
            ("nothing", []), ("another tag", [0x31, 9] + two), ("a length that is too small", [0x30, 8] + two),
            ("a length that is too great", [0x30, 10] + two), ("one number", [0x30, 4] + number(2)),
            ("three numbers", [0x30, 13] + two + number(2)),
            ("a number of another tag", [0x30, 9, 3, 2, 7, 7] + number(3)),
            ("a number that goes on after the end", [0x30, 7, 2, 2, 7, 7, 2, 9, 7]),
        ] as [(String, [UInt8])] {
            XCTAssertNil(DER.halves(of: signature, byteCount: 3), what)
        }
    }

    func testAKeyIsReadFromItsLinesUpToFourKilobytes() {
        let lines = "-----BEGIN PRIVATE KEY-----\nAAEC\nAwQ=\n-----END PRIVATE KEY-----"
        XCTAssertEqual(PrivateKey(pem: lines)?.der, [0, 1, 2, 3, 4], "what stands between the lines")
        let longest = lines + String(repeating: "\n", count: 4096 - lines.utf8.count)
        XCTAssertEqual(PrivateKey(pem: longest)?.der, [0, 1, 2, 3, 4], "four kilobytes")
        for (what, pem) in [
            ("more than four kilobytes", longest + "\n"), ("no key", lines.replacing("AAEC\nAwQ=\n", with: "")),
            ("no first line", String(lines.dropFirst(28))), ("no last line", String(lines.dropLast(26))),
            ("another kind of key", lines.replacing("PRIVATE", with: "PUBLIC")),
            ("no base64", lines.replacing("AAEC", with: "A?EC")),
        ] {
            XCTAssertNil(PrivateKey(pem: pem)?.der, what)
        }
    }
}
