#if OpenSSL
import AuthCore
import AuthCoreProviders
import Foundation

// What stands between the marks stands in the articles, letter for letter; `ArticleTests` compares them.

enum AuthCoreProvidersExample {
    static func make(gitHubSecret: Secret) -> Auth {
        // AuthCoreProviders.md begins
        let auth = Auth(providers: [
            .google(clientIDs: ["1234-web.apps.googleusercontent.com"]),
            .gitHub(clientID: "Iv1.0123456789abcdef", clientSecret: gitHubSecret),
        ])
        // AuthCoreProviders.md ends
        return auth
    }
}

enum ConnectAnyProviderExample {
    static func make(clientSecret: Secret) -> Auth {
        // ConnectAnyProvider.md begins
        let auth = Auth(providers: [
            .oidc(
                id: "oidc.example",
                issuer: "https://login.example.com",
                clientIDs: ["my-app"],
                clientSecret: clientSecret
            )
        ])
        // ConnectAnyProvider.md ends
        return auth
    }

    // ConnectAnyProvider.md begins
    static func send(_ client: AuthClient) async throws -> URL {
        try await client.begin(.signIn, with: "oidc.example", redirectURI: "https://app.example/oidc.example/callback")
    }

    static func takeBack(_ client: AuthClient, _ url: String) async throws -> User {
        try await client.complete(callback: url).user
    }
    // ConnectAnyProvider.md ends

    // ConnectAnyProvider.md begins
    static func signIn(_ auth: Auth, idToken: String, nonce: String) async throws -> User {
        try await auth.signIn(with: .oauth("oidc.example", idToken: idToken, nonce: nonce)).user
    }
    // ConnectAnyProvider.md ends

    // ConnectAnyProvider.md begins
    static func row(for visit: CodeFlow.Result, sealedBy sealer: KeyedSecretSealer) throws -> [UInt8] {
        try visit.tokens.sealed(by: sealer, for: visit.user.uid, of: "oidc.example")
    }

    static func tokens(in row: [UInt8], of user: User, sealedBy sealer: KeyedSecretSealer) throws -> ProviderTokens {
        try ProviderTokens(opening: row, by: sealer, for: user.uid, of: "oidc.example")
    }
    // ConnectAnyProvider.md ends
}

enum ConnectAppleExample {
    static func make() -> Auth {
        // ConnectApple.md begins
        let auth = Auth(providers: [.apple(clientIDs: ["com.example.app", "com.example.web"])])
        // ConnectApple.md ends
        return auth
    }

    // ConnectApple.md begins
    static func signIn(_ auth: Auth, idToken: String, nonce: String, fullName: String?) async throws -> User {
        try await auth.signIn(with: .apple(idToken: idToken, nonce: nonce, fullName: fullName)).user
    }
    // ConnectApple.md ends

    // ConnectApple.md begins
    static func make(fileContent: Secret) -> Auth {
        let key = AppleClientKey(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", privateKey: fileContent)
        return Auth(providers: [.apple(clientIDs: ["com.example.web", "com.example.app"], key: key)])
    }
    // ConnectApple.md ends
}

enum ConnectFacebookExample {
    static func make(appSecret: Secret) -> Auth {
        // ConnectFacebook.md begins
        let auth = Auth(providers: [.facebook(appID: "1234567890", appSecret: appSecret)])
        // ConnectFacebook.md ends
        return auth
    }

    // ConnectFacebook.md begins
    static func signIn(_ auth: Auth, accessToken: String) async throws -> User {
        try await auth.signIn(with: .facebook(accessToken: accessToken)).user
    }

    static func signIn(_ auth: Auth, limitedLogin idToken: String, nonce: String) async throws -> User {
        try await auth.signIn(with: .facebook(idToken: idToken, nonce: nonce)).user
    }
    // ConnectFacebook.md ends
}

enum ConnectGitHubExample {
    static func make(clientSecret: Secret) -> Auth {
        // ConnectGitHub.md begins
        let auth = Auth(providers: [.gitHub(clientID: "Iv1.0123456789abcdef", clientSecret: clientSecret)])
        // ConnectGitHub.md ends
        return auth
    }

    // ConnectGitHub.md begins
    static func sendToGitHub(_ client: AuthClient) async throws -> URL {
        try await client.begin(.signIn, with: .gitHub, redirectURI: "https://app.example/github.com/callback")
    }

    static func takeBack(_ client: AuthClient, _ url: String) async throws -> User {
        let visit = try await client.complete(callback: url)
        print(visit.additionalUserInfo?.profile["html_url"] as Any)
        return visit.user
    }
    // ConnectGitHub.md ends

    // ConnectGitHub.md begins
    static func sendToGitHub(_ user: User) async throws -> URL {
        try await user.begin(.link, with: .gitHub, redirectURI: "https://app.example/github.com/callback")
    }

    static func takeBack(_ user: User, _ url: String) async throws {
        try await user.complete(callback: url)
    }
    // ConnectGitHub.md ends
}

enum ConnectGoogleExample {
    static func make() -> Auth {
        // ConnectGoogle.md begins
        let auth = Auth(providers: [
            .google(clientIDs: [
                "1234-web.apps.googleusercontent.com", "1234-ios.apps.googleusercontent.com",
            ])
        ])
        // ConnectGoogle.md ends
        return auth
    }

    // ConnectGoogle.md begins
    static func signIn(_ auth: Auth, idToken: String, nonce: String) async throws -> User {
        try await auth.signIn(with: .google(idToken: idToken, nonce: nonce)).user
    }
    // ConnectGoogle.md ends

    // ConnectGoogle.md begins
    static func policy() -> AuthPolicy {
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(.wellKnown.pinning(["example.com"], of: "https://accounts.google.com"))
        return policy
    }
    // ConnectGoogle.md ends
}

enum ConnectMicrosoftExample {
    static func make() -> Auth {
        // ConnectMicrosoft.md begins
        let auth = Auth(providers: [
            .microsoft(tenant: "common", clientIDs: ["6731de76-14a6-49ae-97bc-6eba6914391e"])
        ])
        // ConnectMicrosoft.md ends
        return auth
    }
}

enum ServerSignInRoutesExample {
    // ServerSignInRoutes.md begins
    /// What a handler needs of a request.
    struct WebRequest: Sendable {
        /// The URL, with its query.
        var url: String
        /// The address of the browser; behind a proxy the one that the trusted proxy states.
        var address: String
        var cookies: [String: String] = [:]
    }

    /// What a handler answers.
    struct WebResponse: Sendable {
        var status: Int
        var location: String?
        /// Cookies to set, all with `HttpOnly; Secure; SameSite=Lax; Path=/`; an empty one is removed.
        var cookies: [String: String] = [:]
        var message = ""
    }
    // ServerSignInRoutes.md ends

    // ServerSignInRoutes.md begins
    struct SignInRoutes: Sendable {
        let service: AuthService
        let site: String

        /// Answers `GET /sign-in/PROVIDER`.
        func beginSignIn(_ request: WebRequest, with provider: ProviderID) async -> WebResponse {
            await answer(request) { client throws(AuthError) in
                let page = try await client.begin(
                    .signIn,
                    with: provider,
                    redirectURI: site + "/sign-in/\(provider)/callback"
                )
                return WebResponse(
                    status: 303,
                    location: page.absoluteString,
                    cookies: ["device": client.device.rawValue]
                )
            }
        }

        /// Answers `GET /sign-in/PROVIDER/callback`.
        func finishSignIn(_ request: WebRequest) async -> WebResponse {
            await answer(request) { client throws(AuthError) in
                try await signedIn(try await client.complete(callback: request.url).result)
            }
        }

        /// Answers `POST /link/PROVIDER`.
        func beginLink(_ request: WebRequest, with provider: ProviderID) async -> WebResponse {
            await answer(request) { client throws(AuthError) in
                let user = try await client.user(forIDToken: request.cookies["token"] ?? "")
                let page = try await user.begin(.link, with: provider, redirectURI: site + "/link/\(provider)/callback")
                return WebResponse(status: 303, location: page.absoluteString)
            }
        }

        /// Answers `GET /link/PROVIDER/callback`.
        func finishLink(_ request: WebRequest) async -> WebResponse {
            await answer(request) { client throws(AuthError) in
                let user = try await client.user(forIDToken: request.cookies["token"] ?? "")
                return try await signedIn(try await user.complete(callback: request.url).result)
            }
        }
        // ServerSignInRoutes.md ends

        // ServerSignInRoutes.md begins
        private func signedIn(_ result: AuthResult) async throws(AuthError) -> WebResponse {
            let tokens = try await result.user.issueTokens()
            let cookies = [
                "device": result.device.rawValue, "token": tokens.idToken.token, "refresh": tokens.refreshToken,
                "conflict": "", "challenge": "",
            ]
            return WebResponse(status: 303, location: site + "/", cookies: cookies)
        }
        // ServerSignInRoutes.md ends

        // ServerSignInRoutes.md begins
        private func answer(
            _ request: WebRequest,
            _ work: (AuthClient) async throws(AuthError) -> WebResponse
        ) async -> WebResponse {
            let device = request.cookies["device"].flatMap(DeviceID.init)
            let client = service.client(for: device, origin: .address(request.address))
            do throws(AuthError) {
                return try await work(client)
            } catch {
                switch error.detail {
                case .conflict(let conflict):
                    return WebResponse(
                        status: 303,
                        location: site + "/conflict",
                        cookies: ["conflict": cookie(conflict)]
                    )
                case .secondFactor(let challenge):
                    return WebResponse(status: 303, location: site + "/code", cookies: ["challenge": cookie(challenge)])
                case nil:
                    let isSignedOut = error.code == .userTokenExpired || error.code == .invalidUserToken
                    return WebResponse(status: isSignedOut ? 401 : 400, message: error.message)
                }
            }
        }

        private func cookie(_ value: some Encodable) -> String {
            ((try? JSONEncoder().encode(value)) ?? Data()).base64EncodedString()
        }
    }
    // ServerSignInRoutes.md ends
}
#endif
