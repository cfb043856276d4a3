public import AuthCore

/// Verifies the ID tokens of an OpenID Connect provider.
///
/// It finds the provider's keys by discovery, and keeps them: fetched once for all who wait, as long as the provider's
/// headers say (five minutes to a day), again at most once a minute for a token with an unknown key, and through an
/// outage for ``outageTolerance`` more.
///
/// ```swift
/// let auth = Auth(providers: [
///     .oidc(id: "oidc.example", issuer: "https://login.example.com", clientIDs: ["my-app"])
/// ])
/// ```
#if OpenSSL || canImport(CryptoKit)
#else
@available(*, unavailable, message: "turn on the trait OpenSSL of auth-core to verify signatures on Linux")
#endif
public struct OIDCVerifier: CredentialVerifier {
    /// The provider whose ID tokens are verified.
    public let provider: ProviderID
    /// How far the clocks of the provider and the service may differ.
    public var clockSkew: Duration = .seconds(60)
    /// How much longer than its headers say the provider's keys serve while the provider cannot be reached.
    public var outageTolerance: Duration = OIDCCore.usualOutageTolerance
    /// Whether a token with a nonce is accepted from an app that does not know the nonce.
    ///
    /// Only older versions of Google's sign-in for iOS need it. It allows a stolen token to be presented elsewhere.
    public var acceptsUnknownNonce = false

    /// The domains whose mailboxes the issuer runs.
    public private(set) var pinnedDomains: [String: Set<String>] = [:]

    let core: OIDCCore

    /// Creates a verifier for one issuer.
    ///
    /// - Parameters:
    ///   - provider: The name of the provider in the app.
    ///   - issuer: The issuer, exactly as it stands in the provider's tokens.
    ///   - clientIDs: The app's client IDs at the provider; codes belong to the first.
    ///   - clientSecret: The secret of the first client ID, with which codes are exchanged.
    ///   - domains: The domains whose mailboxes the provider runs; it is authoritative for those of their
    ///     addresses that it calls verified.
    ///   - transport: What sends requests.
    public init(
        _ provider: ProviderID,
        issuer: String,
        clientIDs: [String],
        clientSecret: Secret? = nil,
        domains: Set<String> = [],
        transport: any HTTPTransport = URLSessionTransport()
    ) {
        self.init(
            provider,
            .exact(issuer),
            clientIDs: clientIDs,
            clientSecret: ClientSecret(clientSecret),
            transport: transport
        )
        if !domains.isEmpty { pinnedDomains = [issuer: domains] }
    }

    init(
        _ provider: ProviderID,
        _ rule: IssuerRule,
        clientIDs: [String],
        clientSecret: ClientSecret?,
        transport: any HTTPTransport
    ) {
        self.provider = provider
        core = OIDCCore(
            provider,
            rule,
            clientIDs: clientIDs,
            clientSecret: clientSecret,
            transport: transport
        )
    }

    /// The issuers of the identities that the verifier asserts; `{tenantid}` stands for any tenant of Microsoft.
    public var issuers: Set<String> { core.rule.issuers }

    /// Verifies an ID token: signature, issuer, audience, authorized party, times, nonce and access-token hash.
    ///
    /// - Parameters:
    ///   - credential: The ID token, or a code for one, with the nonce that the app asked the provider to put into it.
    ///   - context: The time of the request.
    /// - Returns: What the token asserts.
    /// - Throws: `VerificationFailure`, or `CancellationError`.
    public func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        try await configured.verify(credential, at: context.now)
    }

    /// The verifier's work, with its settings.
    var configured: OIDCCore {
        var core = core
        core.rules.skew = clockSkew
        core.rules.acceptsUnknownNonce = acceptsUnknownNonce
        core.outageTolerance = outageTolerance
        return core
    }
}
