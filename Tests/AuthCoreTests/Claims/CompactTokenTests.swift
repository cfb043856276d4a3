import AuthCoreCrypto
import XCTest

@testable import AuthCoreClaims

final class CompactTokenTests: LimitedTestCase {
    private let key = HMACSHA256(key: bytes("a key for tests"))

    func testASignedTokenComesApartAgain() throws {
        let token = CompactToken.sign(payloadJSON: bytes(#"{"sub":"ann"}"#), keyID: "k1", key: key)
        let parsed = try XCTUnwrap(CompactToken.parse(token))
        XCTAssertEqual(parsed.header, CompactToken.Header(algorithm: "HS256", keyID: "k1"))
        XCTAssertEqual(parsed.payload, bytes(#"{"sub":"ann"}"#))
        let header = try XCTUnwrap(token.split(separator: ".").first.flatMap { Base64URL.decode(String($0)) })
        XCTAssertEqual(
            String(decoding: header, as: UTF8.self),
            #"{"alg":"HS256","kid":"k1","typ":"JWT"}"#,
            "what the first part says of the token"
        )
        XCTAssertTrue(equalInConstantTime(parsed.signature, key.authenticate(parsed.signingInput)))
    }

    /// The example of RFC 7515, appendix A.1.
    func testThePublishedExampleIsReadAndItsSignatureFits() throws {
        let token =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let key = try XCTUnwrap(
            Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")
        )
        let parsed = try XCTUnwrap(CompactToken.parse(token))
        XCTAssertEqual(parsed.header, CompactToken.Header(algorithm: "HS256", keyID: nil))
        XCTAssertEqual(HMACSHA256(key: key).authenticate(parsed.signingInput), parsed.signature)
    }

    func testAKeyIDSurvivesWhateverItHolds() throws {
        for keyID in ["", "\"", "\\", "a\"b\\c\n\u{0}\u{1f}é🙂\u{2028}", #"","alg":"none"#, "e\u{301}"] {
            let token = CompactToken.sign(payloadJSON: bytes("{}"), keyID: keyID, key: key)
            let header = try XCTUnwrap(CompactToken.parse(token)).header
            XCTAssertEqual(header.keyID.map { Array($0.utf8) }, bytes(keyID))
            XCTAssertEqual(header.algorithm, "HS256")
        }
    }

    /// The shortcut for the current key tells the same as reading, and is not taken for another header.
    func testAnExpectedHeaderIsRecognizedAndAnyOtherIsRead() throws {
        let expected = (algorithm: "HS256", keyID: "k1")
        for keyID in ["k1", "k2", "k1\"", ""] {
            let token = CompactToken.sign(payloadJSON: bytes("{}"), keyID: keyID, key: key)
            let parsed = try XCTUnwrap(CompactToken.parse(token, expecting: expected), keyID)
            let read = try XCTUnwrap(CompactToken.parse(token), keyID)
            XCTAssertEqual(parsed.header, read.header, "the header of the key \(keyID)")
            XCTAssertEqual(parsed.signingInput, read.signingInput, "what the signature of \(keyID) covers")
            XCTAssertEqual(parsed.payload, read.payload, "the payload of \(keyID)")
        }
        let other = Base64URL.encode(bytes(#"{"alg":"none","kid":"k1"}"#)) + ".e30.AAAA"
        XCTAssertEqual(CompactToken.parse(other, expecting: expected)?.header.algorithm, "none", "another algorithm")
        XCTAssertNil(CompactToken.parse("x.e30.AAAA", expecting: expected), "a header that cannot be read")
        XCTAssertNil(CompactToken.parse(".e30.AAAA", expecting: expected), "no header")
    }

    func testAChangedTokenHasAnotherSignature() throws {
        let token = CompactToken.sign(payloadJSON: bytes(#"{"sub":"ann"}"#), keyID: "k1", key: key)
        for index in token.indices {
            var changed = token
            changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            guard let parsed = CompactToken.parse(changed) else { continue }
            XCTAssertNotEqual(parsed.signature, key.authenticate(parsed.signingInput), changed)
        }
    }

    func testTextThatIsNoTokenIsRefused() {
        let header = Base64URL.encode(bytes(#"{"alg":"HS256"}"#))
        let good = "\(header).e30.AAAA"
        XCTAssertNotNil(CompactToken.parse(good))
        let bad = [
            "", ".", "..", "...", "a.b.c", header, "\(header).e30", "\(header).e30.", "\(header)..AAAA", ".e30.AAAA",
            good + ".", good + ".AAAA", "." + good, good + "=", " " + good, good + "\n", "\(header).e30.AAB",
            "\(header)=.e30.AAAA", "\(header).e3+.AAAA", "\(header).e30.é", good + "\0", "🙂.🙂.🙂",
        ]
        for text in bad {
            XCTAssertNil(CompactToken.parse(text), text)
        }
    }

    func testAHeaderThatDoesNotSayWhatItMustIsRefused() {
        let nested = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        let headers = [
            "", "null", "1", "[]", "\"HS256\"", "{}", "{", #"{"alg":1}"#, #"{"alg":null}"#, #"{"ALG":"HS256"}"#,
            #"{"alg":"HS256","kid":7}"#, #"{"alg":"HS256","typ":[]}"#, #"{"alg":"HS256"} x"#, "\u{0}", nested,
            #"{"alg":"HS256","crit":["exp"]}"#, #"{"alg":"HS256","crit":null}"#, #"{"alg":"HS256","x":\#(nested)}"#,
        ]
        for header in headers {
            XCTAssertNil(CompactToken.parse(Base64URL.encode(bytes(header)) + ".e30.AAAA"), String(header.prefix(60)))
        }
        for header in [[0xff, 0xfe], [0xc3], [0x7b, 0x22, 0xff, 0x22, 0x7d]] as [[UInt8]] {
            XCTAssertNil(CompactToken.parse(Base64URL.encode(header) + ".e30.AAAA"))
        }
    }

    func testAKeyIDOrATypeThatIsNullIsNone() {
        for member in ["kid", "typ"] {
            let header = Base64URL.encode(bytes(#"{"alg":"HS256","\#(member)":null}"#))
            let parsed = CompactToken.parse(header + ".e30.AAAA")
            XCTAssertEqual(parsed?.header, CompactToken.Header(algorithm: "HS256", keyID: nil), "\(member) is null")
        }
    }

    func testATokenBeyondTheLengthBoundIsRefused() throws {
        let start = Base64URL.encode(bytes(#"{"alg":"HS256"}"#)) + ".e30."
        let room = CompactToken.greatestLength - start.utf8.count
        XCTAssertEqual(CompactToken.greatestLength, 65_536, "a token has at most 64 kibibytes")
        XCTAssertEqual(room % 4, 3, "the signature below must end in whole bytes")
        XCTAssertNotNil(CompactToken.parse(start + String(repeating: "A", count: room)))
        XCTAssertNil(CompactToken.parse(start + String(repeating: "A", count: room + 1)))
        XCTAssertNil(CompactToken.parse(String(repeating: ".", count: 1_000_000)))
    }

    /// Cuts, doublings and foreign bytes: whatever comes out, it must come out without a trap.
    func testNoInputTraps() {
        let token = CompactToken.sign(payloadJSON: bytes(#"{"sub":"ann"}"#), keyID: "k1", key: key)
        for cut in token.indices {
            XCTAssertNil(CompactToken.parse(String(token[cut...]) + "." + token[..<cut] + "."))
            _ = CompactToken.parse(String(token[..<cut]))
            _ = CompactToken.parse(String(token[..<cut]) + "\u{fffd}" + String(token[cut...]))
        }
    }
}

extension CompactToken {
    /// Joins a payload to its header and signs both with HMAC-SHA-256.
    static func sign(payloadJSON: [UInt8], keyID: String, key: HMACSHA256) -> String {
        let input = signingInput(of: payloadJSON, algorithm: algorithm, keyID: keyID)
        return text(of: input, signature: key.authenticate(input))
    }
}
