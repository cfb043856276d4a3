/// The verifiers that a service trusts, one per provider; credentials of other providers are refused.
///
/// ```swift
/// let auth = Auth(providers: [ForgeVerifier(client: client)])
/// ```
public struct AuthProviders: Sendable, ExpressibleByArrayLiteral {
    private let verifiers: [ProviderID: any CredentialVerifier]

    /// Creates a set of these verifiers; a later verifier replaces an earlier one of the same provider.
    public init(_ verifiers: [any CredentialVerifier]) {
        self.verifiers = Dictionary(verifiers.map { ($0.provider, $0) }) { _, later in later }
    }

    /// Creates a set of these verifiers.
    public init(arrayLiteral elements: any CredentialVerifier...) { self.init(elements) }

    /// The empty set: only passwords, sign-in links, phone codes, custom tokens and anonymous accounts.
    public static let empty: AuthProviders = []

    /// The providers that have a verifier.
    var verified: Set<ProviderID> { Set(verifiers.keys) }

    /// The domains of the issuers whose verifiers pin them.
    var pinnedDomains: [String: Set<String>] {
        verifiers.values.reduce(into: [:]) { $0.merge($1.pinnedDomains) { $0.union($1) } }
    }

    /// The verifier of this provider.
    subscript(provider: ProviderID) -> (any CredentialVerifier)? { verifiers[provider] }
}
