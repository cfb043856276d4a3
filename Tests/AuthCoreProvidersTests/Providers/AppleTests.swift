#if OpenSSL
import AuthCoreCrypto
import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCoreProviders

/// Apple's client secret is a token that the app signs, and Apple's page sends the person back by a form.
final class AppleTests: LimitedTestCase {
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        \(TestKey.p256.privateKey)
        -----END PRIVATE KEY-----

        """
    private let redirectURI = FlowWorld.redirectURI(of: .apple)
    private let clock = ManualClock(testTime)
    private let transport = ScriptedTransport()

    override func setUp() {
        transport.answer(
            "/.well-known/openid-configuration",
            [
                "issuer": "https://appleid.apple.com", "jwks_uri": "https://appleid.apple.com/auth/keys",
                "authorization_endpoint": "https://appleid.apple.com/auth/authorize",
                "token_endpoint": "https://appleid.apple.com/auth/token",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            ]
        )
        transport.answer("/auth/keys", ["keys": [Signer().webKey]])
    }

    private func client(_ key: AppleClientKey) -> AuthClient {
        let verifier: OIDCVerifier = .apple(clientIDs: ["com.example.web"], key: key, transport: transport)
        let service = AuthService(AuthConfiguration(providers: [verifier], environment: .manual(clock)))
        return service.client(for: "browser", origin: .local)
    }

    private func key(_ pem: String = AppleTests.pem) -> AppleClientKey {
        AppleClientKey(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", privateKey: Secret(pem))
    }

    /// Apple gives a token for the nonce of this page.
    private func approve(_ page: URL) -> String {
        let fields = FlowWorld.fields(page)
        let now = Int64(clock.now.timeIntervalSince1970)
        let token = Signer().token([
            "iss": "https://appleid.apple.com", "aud": "com.example.web", "sub": "001.ann", "iat": .integer(now),
            "exp": .integer(now + 600), "nonce": .string(fields["nonce"] ?? ""), "email": "ann@icloud.com",
            "email_verified": true,
        ])
        transport.answer("/auth/token", ["id_token": .string(token), "access_token": "a", "token_type": "Bearer"])
        let form = Form.encode([
            (name: "state", value: fields["state"] ?? ""), (name: "code", value: "c0de"),
            (name: "user", value: #"{"name":{"firstName":"Ann","lastName":"Archer"},"email":"ann@icloud.com"}"#),
        ])
        return redirectURI + "?" + form
    }

    func testTheClientSecretIsATokenThatTheAppSigned() async throws {
        let client = client(key())
        let page = try await client.begin(.signIn, with: .apple, redirectURI: redirectURI)
        let fields = FlowWorld.fields(page)
        XCTAssertEqual(page.path(), "/auth/authorize")
        XCTAssertEqual(fields["response_mode"], "form_post")
        XCTAssertEqual(fields["scope"], "openid email name")
        let result = try await client.complete(callback: approve(page))
        XCTAssertEqual(result.user.displayName, "Ann Archer", "Apple names the person beside the code only")
        XCTAssertEqual(result.user.email, "ann@icloud.com")

        let sent = try XCTUnwrap(transport.requests.last { $0.url.path() == "/auth/token" })
        XCTAssertNil(sent.headers["authorization"])
        let body = FlowWorld.fields(URL(string: "https://a.example/?" + String(decoding: sent.body, as: UTF8.self)))
        XCTAssertEqual(body["client_id"], "com.example.web")
        let secret = try SignedToken(try XCTUnwrap(body["client_secret"]))
        let publicKey = try XCTUnwrap(
            JSONWebKeySet(json: ClaimValue.object(["keys": [Signer(key: .p256, keyID: "ABC123DEFG").webKey]]).json())
        )
        XCTAssertEqual(secret.algorithm, .es256)
        XCTAssertEqual(secret.keyID, "ABC123DEFG")
        XCTAssertNoThrow(try publicKey.verify(secret))
        let claims = try XCTUnwrap(ClaimValue(json: secret.payload))
        XCTAssertEqual(claims["iss"], "DEF123GHIJ")
        XCTAssertEqual(claims["sub"], "com.example.web")
        XCTAssertEqual(claims["aud"], "https://appleid.apple.com")
        let now = Int64(clock.now.timeIntervalSince1970)
        XCTAssertEqual(claims["iat"]?.integerValue, now)
        XCTAssertEqual(claims["exp"]?.integerValue, now + 300)
    }

    func testAnotherKindOfKeyIsReported() async throws {
        func pem(_ key: TestKey) -> String {
            "-----BEGIN PRIVATE KEY-----\n\(key.privateKey)\n-----END PRIVATE KEY-----"
        }
        for text in [
            "", "key", pem(.rsa), pem(.p384), pem(.ed25519), TestKey.p256.privateKey,
            Self.pem.replacingOccurrences(of: "MIGH", with: "MIGJ"), Self.pem + String(repeating: "a", count: 5000),
        ] {
            let client = client(key(text))
            let page = try await client.begin(.signIn, with: .apple, redirectURI: redirectURI)
            let refusal = await error { () async throws(AuthError) in
                try await client.complete(callback: self.approve(page))
            }
            XCTAssertEqual((refusal?.cause as? VerificationFailure)?.kind, .misconfigured, text)
            XCTAssertNil(transport.requests.last { $0.url.path() == "/auth/token" }, "nothing was sent")
        }
    }

    func testAKeyFileWithTheLineEndsOfWindowsIsRead() throws {
        let key = try XCTUnwrap(PrivateKey(pem: Self.pem))
        let fromWindows = PrivateKey(pem: Self.pem.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n")
        XCTAssertEqual(fromWindows?.der, key.der, "the key between lines that end with CR LF")
    }

    func testManySignaturesHaveTheLengthOfTheirCurve() throws {
        let key = try XCTUnwrap(PrivateKey(pem: Self.pem))
        let members = TestKey.p256.publicMembers
        let publicKey = try PublicKey(
            .p256,
            x: try XCTUnwrap(members["x"].flatMap { Base64URL.decode($0) }),
            y: try XCTUnwrap(members["y"].flatMap { Base64URL.decode($0) })
        )
        for count in 0..<600 {
            let message = Array("\(count)".utf8)
            let signature = try XCTUnwrap(key.signature(of: message))
            XCTAssertEqual(signature.count, 64)
            XCTAssertTrue(publicKey.verifies(signature, of: message, by: .es256))
        }
    }

    func testAKeyIsNeverPrinted() {
        var dumped = ""
        dump(key(), to: &dumped)
        for text in ["\(key())", String(reflecting: key()), dumped] {
            XCTAssertFalse(text.contains("PRIVATE"), text)
            XCTAssertTrue(text.contains("ABC123DEFG"), text)
        }
    }
}
#endif
