/// A verified credential, for a sign-in, a link or a preview, so that a one-time code is consumed only once.
///
/// ```swift
/// let verified = try await client.verify(credential)
/// let preview = try await client.previewSignIn(with: verified)
/// print(preview.answer, preview.effects, preview.reasons)
/// return try await client.signIn(with: verified).user
/// ```
public struct VerifiedCredential: Sendable, Concealing {
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

    /// What a provider asserted; nil for another kind of credential.
    package var federated: FederatedProof? { proof.federated }

    /// The provider of the credential.
    public var provider: ProviderID { proof.listedProvider }

    /// The provider, without anything that was presented.
    public var description: String { "VerifiedCredential(\(provider))" }
}

extension VerifiedCredential {
    /// The same at the end of a visit to the provider, which was bound to device, session and intent, so that no
    /// further nonce is needed for that intent.
    package func afterVisit(for intent: Store.Authorization.Intent) -> VerifiedCredential {
        guard let identity = federated, let verifiedAt = proof.verifiedAt else { return self }
        let checked = FederatedProof(
            identity: identity.identity,
            assertion: identity.assertion,
            pending: identity.pending,
            nonce: .checked(intent)
        )
        return VerifiedCredential(proof: .federated(checked), additional: additional, verifiedAt: verifiedAt)
    }
}

/// What a federated provider said about the person who signed in or linked.
public struct AdditionalUserInfo: Sendable, Hashable {
    /// The provider.
    public let provider: ProviderID
    /// Everything that the provider said.
    public let profile: [String: ClaimValue]
    /// The person's user name at the provider.
    public let username: String?

    package init(_ assertion: borrowing ProviderAssertion) {
        provider = assertion.provider
        profile = assertion.claims
        username = assertion.username
    }
}
