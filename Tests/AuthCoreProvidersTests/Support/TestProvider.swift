import AuthCore
import AuthCoreCrypto
import Foundation

@testable import AuthCoreProviders

/// An OpenID Connect provider at `https://login.example.com`, whose answers a test can change.
struct TestProvider {
    static let issuer = "https://login.example.com"
    static let configurationPath = "/.well-known/openid-configuration"
    static let keysPath = "/keys"

    let transport = ScriptedTransport()

    init() {
        publish(keys: [TestKey.rsa.webKey(["kid": "1"])])
        transport.answer(Self.configurationPath, Self.configuration())
    }

    /// What verifies its tokens; without a library for signatures it takes none.
    func core(secret: Secret? = nil) -> OIDCCore {
        OIDCCore(
            "oidc.example",
            .exact(Self.issuer),
            clientIDs: ["my-app", "my-other-app"],
            clientSecret: ClientSecret(secret),
            transport: transport
        )
    }

    static func configuration(_ more: [String: ClaimValue] = [:]) -> ClaimValue {
        let usual: [String: ClaimValue] = [
            "issuer": .string(issuer), "jwks_uri": .string(issuer + keysPath),
            "authorization_endpoint": .string(issuer + "/authorize"), "token_endpoint": .string(issuer + "/token"),
        ]
        return .object(usual.merging(more) { _, new in new })
    }

    func publish(keys: [ClaimValue], headers: [String: String] = [:]) {
        transport.answer(Self.keysPath, .object(["keys": .array(keys)]), headers: headers)
    }

    /// Claims that are accepted at the tests' time; nil removes one.
    func claims(_ more: [String: ClaimValue?] = [:]) -> [String: ClaimValue] {
        var claims: [String: ClaimValue] = [
            "iss": .string(Self.issuer), "sub": "248289761001", "aud": "my-app", "iat": 1_800_000_000,
            "exp": 1_800_003_600,
        ]
        for (name, value) in more { claims[name] = value }
        return claims
    }

    /// A credential with a token that names this key, and that no key has signed.
    func forged(_ keyID: String = "1") -> AuthCredential.Federated {
        let header: ClaimValue = ["alg": "RS256", "kid": .string(keyID)]
        let parts = [header.json(), ClaimValue.object(claims()).json(), [1]]
        var credential = AuthCredential.Federated(provider: "oidc.example")
        credential.idToken = Secret(parts.map(Base64URL.encode).joined(separator: "."))
        return credential
    }

    #if OpenSSL
    var signer = Signer()

    var verifier: OIDCVerifier {
        OIDCVerifier("oidc.example", issuer: Self.issuer, clientIDs: ["my-app", "my-other-app"], transport: transport)
    }

    func credential(_ more: [String: ClaimValue?] = [:], nonce: String? = nil) -> AuthCredential {
        .oauth("oidc.example", idToken: signer.token(claims(more)), nonce: nonce)
    }

    /// Why a verifier refuses a token that was signed at its time, so many seconds after that of the tests.
    func refusal(
        by verifier: OIDCVerifier,
        of signer: Signer = Signer(),
        after seconds: Double = 0
    ) async -> VerificationFailure? {
        let now = 1_800_000_010 + Int64(seconds)
        let claims = claims(["iat": .integer(now), "exp": .integer(now + 3600)])
        return await verifier.refusal(of: .oauth("oidc.example", idToken: signer.token(claims)), after: seconds)
    }
    #endif
}
