#if OpenSSL
import AuthCore
import Foundation

@testable import AuthCoreProviders

/// An OpenID Connect provider at `https://login.example.com`, whose answers a test can change.
struct TestProvider {
    static let issuer = "https://login.example.com"
    static let configurationPath = "/.well-known/openid-configuration"
    static let keysPath = "/keys"

    let transport = ScriptedTransport()
    var signer = Signer()

    init() {
        publish(keys: [signer.webKey])
        transport.answer(Self.configurationPath, Self.configuration())
    }

    var verifier: OIDCVerifier {
        OIDCVerifier("oidc.example", issuer: Self.issuer, clientIDs: ["my-app", "my-other-app"], transport: transport)
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

    func credential(_ more: [String: ClaimValue?] = [:], nonce: String? = nil) -> AuthCredential {
        .oauth("oidc.example", idToken: signer.token(claims(more)), nonce: nonce)
    }
}
#endif
