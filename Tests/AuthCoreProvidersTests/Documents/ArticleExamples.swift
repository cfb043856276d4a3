#if OpenSSL
import AuthCore
import AuthCoreProviders
import Foundation

// What stands between the marks stands in the articles, letter for letter; `ArticleTests` compares them.

enum AuthCoreProvidersExample {
    static func make(googleSecret: Secret, gitHubSecret: Secret) -> AuthService {
        // AuthCoreProviders.md begins
        let providers: AuthProviders = [
            .google(clientIDs: ["1234-web.apps.googleusercontent.com"], clientSecret: googleSecret),
            .gitHub(clientID: "Iv1.0123456789abcdef", clientSecret: gitHubSecret),
        ]
        let service = AuthService(AuthConfiguration(providers: providers))
        // AuthCoreProviders.md ends
        return service
    }
}

enum ConnectAnyProviderExample {
    static func make(clientSecret: Secret) -> AuthService {
        // ConnectAnyProvider.md begins
        let providers: AuthProviders = [
            .oidc(
                id: "oidc.example",
                issuer: "https://login.example.com",
                clientIDs: ["my-app"],
                clientSecret: clientSecret
            )
        ]
        let service = AuthService(AuthConfiguration(providers: providers))
        // ConnectAnyProvider.md ends
        return service
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
    static func signIn(
        _ auth: Auth,
        askingApple ask: (_ nonce: String) async throws -> (idToken: String, fullName: String?)
    ) async throws -> User {
        let nonce = try await auth.client.nonce(for: .signIn)
        let answer = try await ask(nonce)
        let credential = AuthCredential.apple(idToken: answer.idToken, nonce: nonce, fullName: answer.fullName)
        return try await auth.signIn(with: credential).user
    }
    // ConnectApple.md ends

    // ConnectApple.md begins
    static func make(fileContent: Secret) -> AuthService {
        let key = AppleClientKey(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", privateKey: fileContent)
        let providers: AuthProviders = [.apple(clientIDs: ["com.example.web", "com.example.app"], key: key)]
        return AuthService(AuthConfiguration(providers: providers))
    }
    // ConnectApple.md ends
}

enum ConnectFacebookExample {
    static func make(appSecret: Secret) -> AuthService {
        // ConnectFacebook.md begins
        let service = AuthService(
            AuthConfiguration(providers: [.facebook(appID: "1234567890", appSecret: appSecret)])
        )
        // ConnectFacebook.md ends
        return service
    }

    // ConnectFacebook.md begins
    static func signIn(_ client: AuthClient, accessToken: String) async throws -> User {
        try await client.signIn(with: .facebook(accessToken: accessToken)).user
    }

    static func signIn(_ client: AuthClient, limitedLogin idToken: String, nonce: String) async throws -> User {
        try await client.signIn(with: .facebook(idToken: idToken, nonce: nonce)).user
    }
    // ConnectFacebook.md ends
}

enum ConnectGitHubExample {
    static func make(clientSecret: Secret) -> AuthService {
        // ConnectGitHub.md begins
        let service = AuthService(
            AuthConfiguration(providers: [.gitHub(clientID: "Iv1.0123456789abcdef", clientSecret: clientSecret)])
        )
        // ConnectGitHub.md ends
        return service
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
    static func signIn(
        _ auth: Auth,
        askingGoogle ask: (_ nonce: String) async throws -> String
    ) async throws -> User {
        let nonce = try await auth.client.nonce(for: .signIn)
        let idToken = try await ask(nonce)
        return try await auth.signIn(with: .google(idToken: idToken, nonce: nonce)).user
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
        /// The absolute URL, with its query: the site's own address before the path that the framework knows.
        var url: String
        /// The address of the browser; behind a proxy the one that the trusted proxy states.
        var address: String
        /// What the person recognizes in the list of their sessions, such as "Safari on a Mac".
        var browser: String?
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

        /// Answers `GET /PROVIDER/sign-in`, and `POST /PROVIDER/conflict` of the page about a conflict.
        func beginSignIn(
            _ request: WebRequest,
            with provider: ProviderID,
            resolvesConflict: Bool = false
        ) async -> WebResponse {
            await answer(request) { client throws(AuthError) in
                let page = try await client.begin(
                    .signIn,
                    with: provider,
                    redirectURI: site + "/\(provider)/sign-in/callback"
                )
                var cookies = ["device": client.device.rawValue]
                // Only a visit that begins on the page about the conflict links what the conflict keeps.
                if resolvesConflict {
                    cookies["resolving"] = state(of: page.absoluteString)
                } else {
                    cookies["conflict"] = ""
                }
                return WebResponse(status: 303, location: page.absoluteString, cookies: cookies)
            }
        }

        /// Answers `GET /PROVIDER/sign-in/callback`.
        func finishSignIn(_ request: WebRequest) async -> WebResponse {
            await answer(request) { client throws(AuthError) in
                let result = try await client.complete(callback: request.url).result
                guard let conflict = conflict(of: request), request.cookies["resolving"] == state(of: request.url)
                else { return try await signedIn(result) }
                // Links nothing if this is another account than the one that the conflict is about.
                return try await signedIn((try? await result.user.link(with: conflict.credential)) ?? result)
            }
        }

        /// Answers `POST /PROVIDER/link`, and `POST /PROVIDER/reauthenticate` with the other intent.
        func beginLink(
            _ request: WebRequest,
            with provider: ProviderID,
            for intent: User.Intent = .link
        ) async -> WebResponse {
            await answer(request) { client throws(AuthError) in
                let user = try await client.user(forIDToken: request.cookies["token"] ?? "")
                let page = try await user.begin(
                    intent,
                    with: provider,
                    redirectURI: site + "/\(provider)/link/callback"
                )
                return WebResponse(status: 303, location: page.absoluteString)
            }
        }

        /// Answers `GET /PROVIDER/link/callback`, of a link and of a reauthentication.
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
                "conflict": "", "resolving": "", "challenge": "",
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
            let client = service.client(
                for: device,
                origin: .address(request.address),
                deviceName: request.browser
            )
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
                case nil where error.endsSession:
                    return WebResponse(status: 401, cookies: ["token": "", "refresh": ""], message: error.message)
                case nil where error.code.endsSession:
                    // The ID token has expired or was replaced: the browser asks the refresh route.
                    return WebResponse(status: 401, message: error.message)
                case nil where error.code == .tooManyRequests:
                    return WebResponse(status: 429, message: error.message)
                case nil:
                    return WebResponse(status: 400, message: error.message)
                }
            }
        }

        private func cookie(_ value: some Encodable) -> String {
            ((try? JSONEncoder().encode(value)) ?? Data()).base64EncodedString()
        }

        private func conflict(of request: WebRequest) -> Conflict? {
            let data = Data(base64Encoded: request.cookies["conflict"] ?? "")
            return data.flatMap { try? JSONDecoder().decode(Conflict.self, from: $0) }
        }

        /// What tells one visit from another, in the URL of its page and in that of its callback.
        private func state(of url: String) -> String? {
            URLComponents(string: url)?.queryItems?.first { $0.name == "state" }?.value
        }
    }
    // ServerSignInRoutes.md ends
}
#endif
