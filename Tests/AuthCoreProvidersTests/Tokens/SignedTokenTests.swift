import AuthCoreCrypto
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What is refused before a key is asked for.
final class SignedTokenTests: LimitedTestCase {
    private func refusal(_ text: String) -> VerificationFailure? {
        do throws(VerificationFailure) {
            _ = try SignedToken(text)
            return nil
        } catch {
            return error
        }
    }

    private func token(_ header: String, payload: String = "{}", signature: String = "AAAA") -> String {
        [Array(header.utf8), Array(payload.utf8)].map(Base64URL.encode).joined(separator: ".") + "." + signature
    }

    func testTheFormIsCheckedStrictly() {
        XCTAssertNil(refusal(token(#"{"alg":"RS256"}"#)))
        XCTAssertNil(refusal(token(#"{"alg":"RS256","typ":null}"#)), "a type that is null is none")
        XCTAssertEqual(refusal(token("[]"))?.kind, .malformed, "a header that is no object")
        for type in ["jwt", "JWT", "application/jwt", "application/JWT"] {
            XCTAssertNil(refusal(token(#"{"alg":"RS256","kid":null,"typ":"\#(type)"}"#)), type)
        }
        let cases = [
            "", ".", "..", "...", "a.b", "a.b.c.d", "e30.e30.AA", "*.*.*", "e30=.e30.AA", " e30.e30.AA", "é.é.é",
            token(#"{"alg":"RS256"}"#) + ".AAAA", token("", payload: "{}"), token("[]"), token("7"),
            token(#"{"alg":"RS256","alg":"RS256"}"#),
            token(#"{"alg":"RS256"} "#) + " ", token(#"{"alg":"RS256"}"#, payload: ""),
            token(#"{"alg":"RS256","kid":1}"#), token(#"{"alg":"RS256","kid":["a"]}"#),
            token(#"{"alg":"RS256"}"#, signature: "A"), token(#"{"alg":"RS256"}"#, signature: "AAAA="),
            token(#"{"alg":"RS256"}"#, signature: "AB"), token(#"{"alg":"RS256","typ":7}"#),
            token(String(repeating: "[", count: 100)), String(repeating: "a", count: 70_000),
            token(#"{"alg":"RS256","x":"\#(String(repeating: "a", count: 5000))"}"#),
        ]
        for text in cases {
            let kind = refusal(text)?.kind
            XCTAssertTrue(
                [.malformed, .wrongAlgorithm].contains(kind),
                "\(text.prefix(60)): \(String(describing: kind))"
            )
        }
    }

    func testATokenHasAtMost64Kibibytes() {
        let short = token(#"{"alg":"RS256"}"#)
        let longest = short + String(repeating: "A", count: 64 * 1024 - short.utf8.count)
        XCTAssertNil(refusal(longest), "64 kibibytes")
        XCTAssertEqual(refusal(longest + "AAAA")?.detail?.contains("must not be longer"), true, "more than that")
        XCTAssertEqual(refusal(longest + "A")?.detail?.contains("must not be longer"), true, "one byte more")
    }

    func testAHeaderHasAtMostFourKibibytesAndEightLevels() {
        let short = #"{"alg":"RS256"}"#
        let longest = short + String(repeating: " ", count: 4096 - short.utf8.count)
        XCTAssertNil(refusal(token(longest)), "four kibibytes")
        XCTAssertEqual(refusal(token(longest + " "))?.kind, .malformed, "one byte more")
        for (depth, kind) in [(7, nil), (8, .malformed)] as [(Int, VerificationFailure.Kind?)] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let header = #"{"alg":"RS256","x":\#(nested)}"#
            XCTAssertEqual(refusal(token(header))?.kind, kind, "\(depth) levels in the header's own")
        }
    }

    func testNoneAndSharedKeysAreNoAlgorithms() {
        for name in [
            "none", "None", "nOnE", "HS256", "HS512", "RS1", "ES256K", "ES512", "rs256", "RS256 ", "", "RS256\\u0000",
        ] {
            let failure = refusal(token(#"{"alg":"\#(name)"}"#))
            XCTAssertEqual(failure?.kind, .wrongAlgorithm, name)
            XCTAssertEqual(failure?.detail?.contains("alg, must be one of RS256"), true, name)
        }
        for header in [#"{}"#, #"{"alg":null}"#, #"{"alg":["RS256"]}"#, #"{"alg":256}"#] {
            XCTAssertEqual(refusal(token(header))?.kind, .wrongAlgorithm, header)
        }
        XCTAssertEqual(refusal(token(#"{"alg":"RS256"}"#, signature: ""))?.kind, .wrongSignature)
        XCTAssertEqual(refusal(token(#"{"alg":"none"}"#, signature: ""))?.kind, .wrongAlgorithm)
    }

    func testExtensionsAndOtherTypesAreRefused() {
        for more in [
            #""crit":["b64"]"#, #""crit":[]"#, #""crit":["exp"],"exp":1"#, #""crit":null"#, #""b64":false"#,
            #""zip":"DEF""#,
            #""typ":"at+jwt""#, #""typ":"logout+jwt""#, #""typ":"JOSE""#, #""typ":"""#,
        ] {
            XCTAssertEqual(refusal(token(#"{"alg":"RS256",\#(more)}"#))?.kind, .malformed, more)
        }
    }

    func testAKeyInTheHeaderIsNotRead() throws {
        // The key that a token brings along, or points at, says nothing about the provider.
        let token = try SignedToken(
            token(#"{"alg":"RS256","jwk":{"kty":"oct"},"jku":"https://evil.example","x5u":"https://evil.example"}"#)
        )
        XCTAssertNil(token.keyID)
    }
}
