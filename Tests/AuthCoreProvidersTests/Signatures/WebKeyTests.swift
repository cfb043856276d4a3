import AuthCoreCrypto
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Which keys of a provider are used (RFC 7517, RFC 7518).
final class WebKeyTests: LimitedTestCase {
    private func refusal(_ key: TestKey, _ more: [String: ClaimValue?]) -> String? {
        var members = key.publicMembers.mapValues { ClaimValue.string($0) }
        for (name, value) in more { members[name] = value }
        do throws(PublicKey.Refusal) {
            _ = try JSONWebKey(.object(members))
            return nil
        } catch {
            return error.detail
        }
    }

    func testNameUseAndAlgorithmMayBeMissing() {
        for key in [TestKey.rsa, .p256, .p384, .ed25519] {
            XCTAssertNil(refusal(key, [:]), "\(key)")
            XCTAssertNil(refusal(key, ["use": "sig", "kid": "1", "key_ops": ["verify"]]), "\(key)")
        }
        XCTAssertNil(refusal(.rsa, ["alg": "PS256"]))
        XCTAssertNil(refusal(.p384, ["alg": "ES384"]))
    }

    func testAKeyForSomethingElseIsNotUsed() {
        XCTAssertEqual(refusal(.rsa, ["use": "enc"]), "Its use must be sig.")
        XCTAssertEqual(refusal(.rsa, ["use": 1]), "Its use must be sig.")
        XCTAssertEqual(refusal(.rsa, ["key_ops": ["encrypt"]]), "Its key_ops must contain verify.")
        XCTAssertEqual(refusal(.rsa, ["key_ops": "verify"]), "Its key_ops must contain verify.")
        for (key, algorithm) in [
            (TestKey.rsa, "RSA-OAEP"), (.rsa, "ES256"), (.rsa, "HS256"), (.rsa, "none"), (.p256, "ES384"),
            (.p384, "ES256"),
            (.ed25519, "ES256"), (.p256, "ES256K"), (.rsa, "rs256"),
        ] {
            let detail = refusal(key, ["alg": .string(algorithm)])
            XCTAssertTrue(detail?.hasPrefix("Its alg") == true, "\(key) as \(algorithm): \(detail ?? "accepted")")
        }
        XCTAssertNotNil(refusal(.rsa, ["alg": 256]))
    }

    func testAWeakOrMalformedKeyIsNotUsed() {
        XCTAssertEqual(refusal(.shortRSA, [:]), "An RSA key must have 2048 to 8192 bits.")
        let long = Base64URL.encode([1] + [UInt8](repeating: 0, count: 2047) + [1])
        let cases: [(TestKey, [String: ClaimValue?], String)] = [
            (.rsa, ["n": nil], "no modulus"), (.rsa, ["n": ""], "an empty modulus"), (.rsa, ["n": 5], "a number"),
            (.rsa, ["n": .string(long)], "16,000 bits"), (.rsa, ["n": "AQAB="], "padding"),
            (.rsa, ["e": "AQ"], "the exponent 1"), (.rsa, ["e": "AA"], "the exponent 0"), (.rsa, ["e": "AQAA"], "even"),
            (.rsa, ["e": .string(Base64URL.encode([UInt8](repeating: 0xFF, count: 9)))], "a long exponent"),
            (.rsa, ["kty": "oct"], "a shared key"), (.rsa, ["kty": nil], "no type"),
            (.rsa, ["kty": "EC"], "another type"),
            (.p256, ["crv": "P-384"], "another curve"), (.p256, ["crv": "secp256k1"], "an unknown curve"),
            (.p256, ["crv": nil], "no curve"), (.p256, ["y": nil], "half a point"),
            (.p256, ["x": "AQ"], "a short point"), (.p256, ["y": "AQ"], "a short second coordinate"),
            (.ed25519, ["crv": "X25519"], "a curve for something else"), (.ed25519, ["x": "AQ"], "a short key"),
        ]
        for (key, change, what) in cases { XCTAssertNotNil(refusal(key, change), what) }
    }

    func testASetKeepsItsUsableKeysAndTheReasonsForTheOthers() throws {
        let json = """
            {"keys": [{"kty": "oct", "kid": "shared", "k": "AA"}, 7, {"kid": "none"}, {
              "kty": "OKP", "crv": "Ed25519", "kid": "good", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
            }]}
            """
        let set = try XCTUnwrap(JSONWebKeySet(json: Array(json.utf8)))
        XCTAssertEqual(set.keys.map(\.id), ["good"].map { ExactText($0) })
        XCTAssertEqual(set.refusals[ExactText("shared")], "Its type, kty, must be RSA, EC or OKP.")
        XCTAssertEqual(set.refusals.count, 2)
    }

    func testOfMoreThanAHundredKeysTheFirstAreKept() throws {
        let keys = (0...100).map { number -> ClaimValue in
            [
                "kty": "OKP", "crv": "Ed25519", "kid": .string("key \(number)"),
                "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            ]
        }
        let set = try XCTUnwrap(JSONWebKeySet(json: ClaimValue.object(["keys": .array(keys)]).json()))
        XCTAssertEqual(set.keys.count, 100)
        XCTAssertEqual(set.keys.first?.id, ExactText("key 0"), "the first key of the set")
    }

    func testLeadingZerosOfAnRSAKeyChangeNothing() throws {
        let members = TestKey.rsa.publicMembers
        let modulus = try XCTUnwrap(members["n"].flatMap { Base64URL.decode($0) })
        let exponent = try XCTUnwrap(members["e"].flatMap { Base64URL.decode($0) })
        let key = try PublicKey(modulus: modulus, exponent: exponent)
        XCTAssertEqual(try PublicKey(modulus: [0, 0] + modulus, exponent: exponent), key, "zeros before the modulus")
        XCTAssertEqual(try PublicKey(modulus: modulus, exponent: [0] + exponent), key, "a zero before the exponent")
    }

    func testAnRSAKeyHas2048To8192Bits() {
        for (first, count, isAllowed) in [(0x7F, 256, false), (0x80, 256, true), (0xFF, 1024, true), (1, 1025, false)] {
            let modulus = [UInt8(first)] + [UInt8](repeating: 1, count: count - 1)
            let key = try? PublicKey(modulus: modulus, exponent: [3])
            XCTAssertEqual(key != nil, isAllowed, "\(count) bytes, the first of which is \(first)")
        }
    }

    func testAnRSAKeysExponentHasEightBytesAtMost() throws {
        let modulus = try XCTUnwrap(TestKey.rsa.publicMembers["n"].flatMap { Base64URL.decode($0) })
        for (count, isAllowed) in [(7, true), (8, true), (9, false)] {
            let key = try? PublicKey(modulus: modulus, exponent: [UInt8](repeating: 3, count: count))
            XCTAssertEqual(key != nil, isAllowed, "\(count) bytes")
        }
    }

    func testWhatIsNoKeySetIsRefused() {
        for json in [
            "", "[]", "{}", #"{"keys": {}}"#, #"{"keys": [1}"#, #"{"keys": [1], "keys": [1]}"#, "{\"keys\": [1]} x",
            #"{"keys": []}"#,
        ] {
            XCTAssertNil(JSONWebKeySet(json: Array(json.utf8)), json)
        }
    }

    private func token(_ header: String) throws -> SignedToken {
        try SignedToken([Array(header.utf8), Array("{}".utf8), [1]].map(Base64URL.encode).joined(separator: "."))
    }

    private func keySet(_ keys: ClaimValue...) throws -> JSONWebKeySet {
        try XCTUnwrap(JSONWebKeySet(json: ClaimValue.object(["keys": .array(keys)]).json()))
    }

    func testAKeyThatNamesAnAlgorithmIsTriedForNoOther() throws {
        let set = try keySet(TestKey.rsa.webKey(["alg": "RS256"]))
        for (algorithm, count) in [("RS256", 1), ("PS256", 0), ("RS384", 0), ("RS512", 0)] {
            let candidates = set.candidates(for: try token(#"{"alg":"\#(algorithm)"}"#))
            XCTAssertEqual(candidates.count, count, "keys for a token by \(algorithm)")
        }
    }

    /// The names are equal to Swift, and different keys.
    func testAKeyWhoseNameOnlyLooksTheSameIsNotTried() throws {
        let set = try keySet(TestKey.ed25519.webKey(["kid": "\u{e9}"]))
        let own = set.candidates(for: try token(#"{"alg":"EdDSA","kid":"\u00e9"}"#))
        XCTAssertEqual(own.count, 1, "a token that names the key")
        let other = set.candidates(for: try token(#"{"alg":"EdDSA","kid":"e\u0301"}"#))
        XCTAssertEqual(other.count, 0, "a token that names another")
    }

    func testOnlyTheKeyThatATokenNamesIsTriedWhereThereIsOne() throws {
        let set = try keySet(TestKey.ed25519.webKey(), TestKey.ed25519.webKey(["kid": "1"]))
        let own = set.candidates(for: try token(#"{"alg":"EdDSA","kid":"1"}"#))
        XCTAssertEqual(own.map(\.id), [ExactText("1")], "the key of this name")
        let other = set.candidates(for: try token(#"{"alg":"EdDSA","kid":"2"}"#))
        XCTAssertEqual(other.map(\.id), [nil], "a key without a name may have any")
        XCTAssertEqual(set.candidates(for: try token(#"{"alg":"EdDSA"}"#)).count, 2, "a token that names no key")
        let otherType = set.candidates(for: try token(#"{"alg":"ES256","kid":"1"}"#))
        XCTAssertEqual(otherType.count, 0, "keys of another type, whatever their names")
    }

    func testTheFailureSaysWhyTheNamedKeyIsNotUsed() throws {
        let set = try XCTUnwrap(JSONWebKeySet(json: Array(#"{"keys": [{"kty": "oct", "kid": "1"}]}"#.utf8)))
        for (id, part) in [("1", "cannot be used. Its type, kty,"), ("2", "must have a key for EdDSA")] {
            XCTAssertThrowsError(try set.verify(token(#"{"alg":"EdDSA","kid":"\#(id)"}"#))) {
                let detail = ($0 as? VerificationFailure)?.detail
                XCTAssertEqual(detail?.contains(part), true, "key \(id): \(detail ?? "\($0)")")
            }
        }
    }

    func testEightKeysAreTriedForATokenThatNamesNone() throws {
        let json = ClaimValue.object(["keys": .array(Array(repeating: TestKey.ed25519.webKey(), count: 20))]).json()
        let set = try XCTUnwrap(JSONWebKeySet(json: json))
        let token = try token(#"{"alg":"EdDSA"}"#)
        XCTAssertEqual(set.candidates(for: token).count, 8, "more keys would be work that a stranger causes")
    }
}
