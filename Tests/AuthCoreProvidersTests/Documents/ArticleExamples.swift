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
        try await client.begin(.signIn, with: "oidc.example", redirectURI: "https://app.example/callback")
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
        try await client.begin(.signIn, with: .gitHub, redirectURI: "https://app.example/callback")
    }

    static func takeBack(_ client: AuthClient, _ url: String) async throws -> User {
        let visit = try await client.complete(callback: url)
        print(visit.additionalUserInfo?.profile["html_url"] as Any)
        return visit.user
    }
    // ConnectGitHub.md ends

    // ConnectGitHub.md begins
    static func sendToGitHub(_ user: User) async throws -> URL {
        try await user.begin(.link, with: .gitHub, redirectURI: "https://app.example/callback")
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
#endif
