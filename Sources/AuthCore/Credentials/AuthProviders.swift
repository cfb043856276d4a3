/// The verifiers that a service trusts, one a provider; a provider without one is refused.
public struct AuthProviders: Sendable, ExpressibleByArrayLiteral {
    private let verifiers: [ProviderID: any CredentialVerifier]

    /// The set with these verifiers; a later one of the same provider takes the place of an earlier one.
    public init(_ verifiers: [any CredentialVerifier]) {
        self.verifiers = Dictionary(verifiers.map { ($0.provider, $0) }) { _, later in later }
    }

    /// The set with these verifiers.
    public init(arrayLiteral elements: any CredentialVerifier...) { self.init(elements) }

    /// The empty set: passwords, mailed links, phone codes and anonymous accounts only.
    public static let empty: AuthProviders = []

    /// The providers that have one.
    var verified: Set<ProviderID> { Set(verifiers.keys) }

    /// The verifier of this provider.
    subscript(provider: ProviderID) -> (any CredentialVerifier)? { verifiers[provider] }
}
