#if OpenSSL
import AuthCore
import AuthCoreProviders
import Foundation

/// The examples in the comments of AuthCoreProviders, compiled.
enum CommentExamples {
    static func signInWithGitHub(
        _ secret: Secret,
        _ device: DeviceID?,
        _ address: String,
        code: String,
        verifier: String
    )
        async throws
    {
        let providers: AuthProviders = [.gitHub(clientID: "Iv1.0123456789abcdef", clientSecret: secret)]
        let service = AuthService(AuthConfiguration(providers: providers))
        let client = service.client(for: device, origin: .address(address))
        try await client.signIn(with: .gitHub(code: code, codeVerifier: verifier))
    }

    static func signInWithFacebook(_ secret: Secret, _ device: DeviceID?, _ address: String, token: String) async throws
    {
        let providers: AuthProviders = [.facebook(appID: "1234567890", appSecret: secret)]
        let service = AuthService(AuthConfiguration(providers: providers))
        let client = service.client(for: device, origin: .address(address))
        try await client.signIn(with: .facebook(accessToken: token))
    }

    static func makeService(fileContent: Secret) -> AuthService {
        let key = AppleClientKey(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", privateKey: fileContent)
        let providers: AuthProviders = [.apple(clientIDs: ["com.example.web"], key: key)]
        let service = AuthService(AuthConfiguration(providers: providers))
        return service
    }

    static func keep(_ visit: CodeFlow.Result, of user: User, sealedBy sealer: KeyedSecretSealer) throws
        -> ProviderTokens
    {
        let row = try visit.tokens.sealed(by: sealer, for: visit.user.uid, of: .gitHub)
        let tokens = try ProviderTokens(opening: row, by: sealer, for: user.uid, of: .gitHub)
        return tokens
    }

    static func link(_ user: User) async throws -> URL {
        let page = try await user.begin(.link, with: .gitHub, redirectURI: "https://app.example/github.com/callback")
        return page
    }

    static func signIn(_ client: AuthClient) async throws -> URL {
        let callback = "https://app.example/github.com/callback"
        let page = try await client.begin(.signIn, with: .gitHub, redirectURI: callback)
        return page
    }

    static func makeAuth() -> Auth {
        let auth = Auth(providers: [
            .oidc(id: "oidc.example", issuer: "https://login.example.com", clientIDs: ["my-app"])
        ])
        return auth
    }
}
#endif
