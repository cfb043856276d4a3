#if OpenSSL
import AuthCoreCrypto
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Tokens that the provider did not sign, or not like this.
final class ForgedTokenTests: LimitedTestCase {
    private let provider = TestProvider()

    private func refusal(_ token: String) async -> VerificationFailure.Kind? {
        await provider.verifier.refusal(of: .oauth("oidc.example", idToken: token))?.kind
    }

    func testATokenOfAnotherKeyIsRefused() async {
        let named = await refusal(Signer(key: .otherRSA).token(provider.claims()))
        XCTAssertEqual(named, .wrongSignature)
        let unnamed = await refusal(Signer(key: .otherRSA, keyID: nil).token(provider.claims()))
        XCTAssertEqual(unnamed, .wrongSignature)
        let unknown = await refusal(Signer(key: .otherRSA, keyID: "2").token(provider.claims()))
        XCTAssertEqual(unknown, .wrongKey)
        let short = await refusal(Signer(key: .shortRSA).token(provider.claims()))
        XCTAssertEqual(short, .wrongSignature)
    }

    func testTheAlgorithmMustBeTheKeys() async {
        provider.publish(keys: [Signer().webKey(["alg": "RS256"])])
        for algorithm in [SignatureAlgorithm.rs384, .rs512, .ps256] {
            let kind = await refusal(Signer(algorithm: algorithm).token(provider.claims()))
            XCTAssertEqual(kind, .wrongKey, "the key is for RS256, not for \(algorithm)")
        }
        let right = await refusal(Signer().token(provider.claims()))
        XCTAssertNil(right)
        let kind = await refusal(Signer(key: .p256, algorithm: .es256).token(provider.claims()))
        XCTAssertEqual(kind, .wrongKey, "the key of this name has another type")
    }

    func testATokenSignedWithThePublicKeyAsSecretIsRefused() async {
        let modulus = Base64URL.decode(TestKey.rsa.publicMembers["n"] ?? "") ?? []
        let input =
            Base64URL.encode(Array(#"{"alg":"HS256","kid":"1"}"#.utf8)) + "."
            + Base64URL.encode(ClaimValue.object(provider.claims()).json())
        let forged = input + "." + Base64URL.encode(HMACSHA256(key: modulus).authenticate(Array(input.utf8)))
        let kind = await refusal(forged)
        XCTAssertEqual(kind, .wrongAlgorithm)
    }

    func testATokenThatBringsItsOwnKeyIsRefused() async {
        let evil = Signer(key: .otherRSA, keyID: "2")
        let kind = await refusal(
            evil.token(provider.claims(), header: ["jwk": evil.webKey, "jku": "https://evil.example/keys"])
        )
        XCTAssertEqual(kind, .wrongKey)
        XCTAssertFalse(provider.transport.requests.contains { $0.url.host() == "evil.example" })
    }

    func testWhatIsChangedAfterSigningIsRefused() async {
        let token = provider.signer.token(provider.claims())
        let parts = token.split(separator: ".").map(String.init)
        let richer = Base64URL.encode(ClaimValue.object(provider.claims(["sub": "1"])).json())
        let other = Base64URL.encode(Array(#"{"alg":"RS256","kid":"1","x":1}"#.utf8))
        for forged in ["\(parts[0]).\(richer).\(parts[2])", "\(other).\(parts[1]).\(parts[2])"] {
            let kind = await refusal(forged)
            XCTAssertEqual(kind, .wrongSignature)
        }
        for cut in stride(from: 0, to: token.utf8.count, by: 37) {
            let kind = await refusal(String(token.prefix(cut)))
            XCTAssertNotNil(kind, "a token cut after \(cut) characters")
        }
    }

    func testAPayloadThatIsNoJSONObjectIsRefused() async {
        let header = Array(#"{"alg":"RS256","kid":"1"}"#.utf8)
        for payload in [
            "[]", "null", "7", "{", #"{"iss":1,"iss":2}"#, "{} x", "\u{FEFF}{}", String(repeating: "[", count: 5000),
        ] {
            let kind = await refusal(provider.signer.token(header: header, payload: Array(payload.utf8)))
            XCTAssertEqual(kind, .malformed, payload)
        }
        let invalid = await refusal(provider.signer.token(header: header, payload: [0x7B, 0x22, 0xFF, 0x22, 0x7D]))
        XCTAssertEqual(invalid, .malformed)
    }

    func testAnECDSASignatureIsTwoNumbersInRange() async {
        let signer = Signer(key: .p256, algorithm: .es256)
        provider.publish(keys: [signer.webKey])
        let token = signer.token(provider.claims())
        let good = await refusal(token)
        XCTAssertNil(good)
        let input = token.split(separator: ".").prefix(2).joined(separator: ".")
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7,
            0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let zero = [UInt8](repeating: 0, count: 32)
        let one = [UInt8](zero.dropLast() + [1])
        for (r, s) in [(zero, zero), (one, zero), (zero, one), (one, one), (order, one), (one, order), (order, order)] {
            let kind = await refusal(input + "." + Base64URL.encode(r + s))
            XCTAssertEqual(kind, .wrongSignature)
        }
    }
}
#endif
