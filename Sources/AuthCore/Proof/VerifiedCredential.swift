/// A credential that was checked: hand it to a sign-in, a link or a preview, and a one-time code is spent only once.
public struct VerifiedCredential: Sendable, CustomStringConvertible, CustomReflectable {
    package let proof: Proof
    /// What the provider said, for the result.
    let additional: AdditionalUserInfo?
    /// What was read to verify it, for an operation that follows at once.
    var seen: Snapshot?

    package init(proof: Proof, additional: AdditionalUserInfo? = nil, verifiedAt: Timestamp) {
        var proof = proof
        proof.verifiedAt = verifiedAt
        self.proof = proof
        self.additional = additional
    }

    /// The provider that vouched.
    public var provider: ProviderID { proof.provider == .emailLink ? .password : proof.provider }

    /// The provider, and nothing that was presented.
    public var description: String { "VerifiedCredential(\(provider))" }

    /// A mirror that shows the provider only.
    public var customMirror: Mirror { Mirror(self, children: ["provider": provider.rawValue]) }
}

/// What a federated provider said about the person who just arrived.
public struct AdditionalUserInfo: Sendable, Hashable {
    /// The provider.
    public let provider: ProviderID
    /// Everything it said.
    public let profile: [String: ClaimValue]
    /// The person's user name there.
    public let username: String?

    package init(_ assertion: ProviderAssertion) {
        provider = assertion.provider
        profile = assertion.claims
        username = assertion.username
    }
}
