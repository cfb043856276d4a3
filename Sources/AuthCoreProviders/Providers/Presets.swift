public import AuthCore

#if OpenSSL || canImport(CryptoKit)
#else
@available(*, unavailable, message: "turn on the trait OpenSSL of auth-core to verify signatures on Linux")
#endif
extension CredentialVerifier where Self == OIDCVerifier {
    /// Verifies Google's ID tokens.
    ///
    /// - Parameters:
    ///   - clientIDs: The client IDs of all the app's platforms and of its server.
    ///   - clientSecret: The secret of the first client ID, with which codes are exchanged.
    ///   - transport: What sends requests.
    /// - Returns: The verifier.
    public static func google(
        clientIDs: [String],
        clientSecret: Secret? = nil,
        transport: any HTTPTransport = URLSessionTransport()
    ) -> OIDCVerifier {
        OIDCVerifier(
            .google,
            .exact("https://accounts.google.com", aliases: ["accounts.google.com"]),
            clientIDs: clientIDs,
            clientSecret: ClientSecret(clientSecret),
            transport: transport
        )
    }

    /// Verifies the ID tokens of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - clientIDs: The app's bundle IDs, and its Services IDs for the web.
    ///   - key: The key with which the first client ID exchanges codes; nil where only tokens are presented.
    ///   - transport: What sends requests.
    /// - Returns: The verifier.
    public static func apple(
        clientIDs: [String],
        key: AppleClientKey? = nil,
        transport: any HTTPTransport = URLSessionTransport()
    ) -> OIDCVerifier {
        OIDCVerifier(
            .apple,
            // In June 2025 Apple's configuration named the alias for a day, while its tokens kept the other name.
            .exact(AppleClientKey.audience, aliases: ["https://account.apple.com"]),
            clientIDs: clientIDs,
            clientSecret: key.map { .signed($0) },
            transport: transport
        )
    }

    /// Verifies the ID tokens of Microsoft's identity platform, version 2.0.
    ///
    /// - Parameters:
    ///   - tenant: `common` for all accounts, `organizations`, `consumers`, or the ID or a domain of one tenant.
    ///   - clientIDs: The app's registrations; a person has another subject in each of them.
    ///   - clientSecret: The secret of the first client ID, with which codes are exchanged.
    ///   - transport: What sends requests.
    /// - Returns: The verifier.
    public static func microsoft(
        tenant: String,
        clientIDs: [String],
        clientSecret: Secret? = nil,
        transport: any HTTPTransport = URLSessionTransport()
    ) -> OIDCVerifier {
        OIDCVerifier(
            .microsoft,
            .microsoft(MicrosoftTenant(tenant)),
            clientIDs: clientIDs,
            clientSecret: ClientSecret(clientSecret),
            transport: transport
        )
    }

    /// Verifies the ID tokens of any OpenID Connect provider.
    ///
    /// - Parameters:
    ///   - id: The name of the provider in the app, for example `oidc.example`.
    ///   - issuer: The issuer, exactly as it stands in the provider's tokens.
    ///   - clientIDs: The app's client IDs at the provider.
    ///   - clientSecret: The secret of the first client ID, with which codes are exchanged.
    ///   - domains: The domains whose mailboxes the provider runs; it is authoritative for those of their
    ///     addresses that it calls verified.
    ///   - transport: What sends requests.
    /// - Returns: The verifier.
    public static func oidc(
        id: ProviderID,
        issuer: String,
        clientIDs: [String],
        clientSecret: Secret? = nil,
        domains: Set<String> = [],
        transport: any HTTPTransport = URLSessionTransport()
    ) -> OIDCVerifier {
        OIDCVerifier(
            id,
            issuer: issuer,
            clientIDs: clientIDs,
            clientSecret: clientSecret,
            domains: domains,
            transport: transport
        )
    }
}

extension CredentialVerifier where Self == GitHubVerifier {
    /// Verifies GitHub's authorization codes and access tokens.
    ///
    /// - Parameters:
    ///   - clientID: The app's client ID.
    ///   - clientSecret: A client secret of the app.
    ///   - transport: What sends requests.
    /// - Returns: The verifier.
    public static func gitHub(
        clientID: String,
        clientSecret: Secret,
        transport: any HTTPTransport = URLSessionTransport()
    ) -> GitHubVerifier {
        GitHubVerifier(clientID: clientID, clientSecret: clientSecret, transport: transport)
    }
}

extension CredentialVerifier where Self == FacebookVerifier {
    /// Verifies Facebook's authorization codes, access tokens and the ID tokens of Limited Login.
    ///
    /// - Parameters:
    ///   - appID: The app's ID.
    ///   - appSecret: The app's secret.
    ///   - transport: What sends requests.
    /// - Returns: The verifier.
    public static func facebook(
        appID: String,
        appSecret: Secret,
        transport: any HTTPTransport = URLSessionTransport()
    ) -> FacebookVerifier {
        FacebookVerifier(appID: appID, appSecret: appSecret, transport: transport)
    }
}
