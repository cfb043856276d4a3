#if OpenSSL || canImport(CryptoKit)
import AuthCore
#if OpenSSL
import COpenSSL
#endif
import XCTest

@testable import AuthCoreProviders

/// The examples of the standards, and tokens that another library signed.
final class SignatureVectorTests: LimitedTestCase {
    private struct Vector {
        let name: String
        let key: [String: ClaimValue]
        let token: String
    }

    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    private static let vectors = [
        Vector(
            name: "RFC 7515 A.2",
            key: [
                "kty": "RSA", "e": "AQAB",
                "n": .string(
                    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR"
                        + "T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e"
                        + "-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NA"
                        + "co9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
                ),
            ],
            token: "eyJhbGciOiJSUzI1NiJ9." + payload + "."
                + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb"
                + "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383"
                + "LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWy"
                + "wlVmtVrBp0igcN_IoypGlUPQGe77Rw"
        ),
        Vector(
            name: "RFC 7515 A.3",
            key: [
                "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            ],
            token: "eyJhbGciOiJFUzI1NiJ9." + payload + "."
                + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        ),
        Vector(
            name: "RFC 8037 A.4",
            key: ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
            token: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        ),
        Vector(
            name: "RFC 7520 4.1",
            key: [
                "kty": "RSA", "kid": "bilbo.baggins@hobbiton.example", "use": "sig", "e": "AQAB",
                "n": .string(
                    "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRB"
                        + "SFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1"
                        + "FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mz"
                        + "SnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw"
                ),
            ],
            token: "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9."
                + "SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9h"
                + "ZCwgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3"
                + "ZXB0IG9mZiB0by4."
                + "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi84wnB"
                + "-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocSadnHXFxn"
                + "t8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_fcI"
                + "e8u9ipH84ogoree7vjbU5y18kDquDg"
        ),
    ]

    private func set(_ key: [String: ClaimValue]) throws -> JSONWebKeySet {
        try XCTUnwrap(JSONWebKeySet(json: ClaimValue.object(["keys": [.object(key)]]).json()))
    }

    func testTheExamplesOfTheStandardsAreValid() throws {
        for vector in Self.vectors {
            let set = try set(vector.key)
            XCTAssertNoThrow(try set.verify(SignedToken(vector.token)), vector.name)
        }
    }

    func testTheTokensOfAnotherLibraryAreValid() throws {
        for recorded in RecordedToken.all {
            let key = recorded.key.publicMembers.mapValues { ClaimValue.string($0) }
            let token = try SignedToken(recorded.text)
            XCTAssertEqual(token.algorithm.rawValue, recorded.algorithm)
            XCTAssertNoThrow(try set(key).verify(token), recorded.algorithm)
        }
    }

    func testOneChangedBitMakesEverySignatureInvalid() throws {
        let recorded = RecordedToken.all.map {
            ($0.algorithm, $0.key.publicMembers.mapValues { ClaimValue.string($0) }, $0.text)
        }
        for (name, key, text) in Self.vectors.map({ ($0.name, $0.key, $0.token) }) + recorded {
            let key = try JSONWebKey(.object(key)).publicKey
            let token = try SignedToken(text)
            XCTAssertTrue(key.verifies(token.signature, of: token.signingInput, by: token.algorithm), name)
            for place in [0, 1, token.signature.count / 2, token.signature.count - 1] {
                var signature = token.signature
                signature[place] ^= 1
                XCTAssertFalse(
                    key.verifies(signature, of: token.signingInput, by: token.algorithm),
                    "\(name) at \(place)"
                )
            }
            XCTAssertFalse(key.verifies(token.signature, of: token.signingInput + [0x20], by: token.algorithm), name)
            XCTAssertFalse(key.verifies(token.signature + [0], of: token.signingInput, by: token.algorithm), name)
            XCTAssertFalse(key.verifies(token.signature.dropLast(), of: token.signingInput, by: token.algorithm), name)
            XCTAssertFalse(key.verifies([], of: token.signingInput, by: token.algorithm), name)
            // Of two numbers the second would be the same.
            var longer = token.signature
            longer.insert(0, at: longer.count / 2)
            XCTAssertFalse(key.verifies(longer, of: token.signingInput, by: token.algorithm), "\(name): a zero more")
            let zeros = [UInt8](repeating: 0, count: token.signature.count)
            XCTAssertFalse(key.verifies(zeros, of: token.signingInput, by: token.algorithm), "\(name): zeros")
        }
    }

    #if OpenSSL
    /// RFC 7518, 3.5: the salt of PS256 is as long as its digest.
    func testASaltOfAnotherLengthMakesASignatureInvalid() throws {
        let key = try JSONWebKey(Signer().webKey).publicKey
        for (length, isValid) in [(RSA_PSS_SALTLEN_DIGEST, true), (20, false), (0, false)] {
            let signature = Signer(algorithm: .ps256, saltLength: length).signature(of: [1])
            XCTAssertEqual(key.verifies(signature, of: [1], by: .ps256), isValid, "a salt of \(length) bytes")
        }
    }

    func testAWrongSignatureLeavesNothingForTheNextCall() throws {
        ERR_clear_error()
        for recorded in RecordedToken.all {
            let key = try JSONWebKey(.object(recorded.key.publicMembers.mapValues { .string($0) })).publicKey
            let token = try SignedToken(recorded.text)
            let zeros = [UInt8](repeating: 0, count: token.signature.count)
            XCTAssertFalse(key.verifies(zeros, of: token.signingInput, by: token.algorithm), recorded.algorithm)
            XCTAssertEqual(ERR_peek_error(), 0, "what libcrypto noted about \(recorded.algorithm) is left behind")
        }
        let rest = "-----BEGIN PRIVATE KEY-----\nAAEC\n-----END PRIVATE KEY-----"
        XCTAssertNil(PrivateKey(pem: rest)?.signature(of: []), "bytes that are no key")
        XCTAssertEqual(ERR_peek_error(), 0, "what libcrypto noted about bytes that are no key is left behind")
    }
    #endif

    func testAKeyVerifiesOnlyTheAlgorithmsOfItsTypeAndCurve() throws {
        for recorded in RecordedToken.all {
            let token = try SignedToken(recorded.text)
            for key in [TestKey.rsa, .p256, .p384, .ed25519] {
                let publicKey = try JSONWebKey(.object(key.publicMembers.mapValues { .string($0) })).publicKey
                for algorithm in SignatureAlgorithm.allCases {
                    let isValid = publicKey.verifies(token.signature, of: token.signingInput, by: algorithm)
                    let isOwn = key == recorded.key && algorithm.rawValue == recorded.algorithm
                    XCTAssertEqual(isValid, isOwn, "\(recorded.algorithm) with \(key) as \(algorithm)")
                }
            }
        }
    }

    func testAPointOffItsCurveVerifiesNothing() throws {
        let token = try SignedToken(try XCTUnwrap(RecordedToken.all.first { $0.algorithm == "ES256" }).text)
        for (x, y) in [
            ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32)), (Array(1...32), Array(2...33)),
        ] {
            let key = try PublicKey(.p256, x: x, y: y)
            XCTAssertFalse(key.verifies(token.signature, of: token.signingInput, by: .es256), "\(x)")
        }
    }

    func testDigestsAreThoseOfTheStandard() {
        // FIPS 180-4, of "abc", in its first bytes.
        XCTAssertEqual(DigestAlgorithm.sha256.hash(Array("abc".utf8)).prefix(4), [0xBA, 0x78, 0x16, 0xBF])
        XCTAssertEqual(DigestAlgorithm.sha384.hash(Array("abc".utf8)).prefix(4), [0xCB, 0x00, 0x75, 0x3F])
        XCTAssertEqual(DigestAlgorithm.sha512.hash(Array("abc".utf8)).prefix(4), [0xDD, 0xAF, 0x35, 0xA1])
    }
}
#endif
