extension FederatedProof {
    /// The proof of an assertion; nil for one whose issuer or subject cannot identify a person.
    package convenience init?(_ assertion: ProviderAssertion, under policy: AuthPolicy) {
        self.init(assertion, under: policy, pending: nil, nonce: .unchecked)
    }

    /// The same of an assertion that comes from a pending identity, or with a nonce.
    convenience init?(
        _ assertion: ProviderAssertion,
        under policy: AuthPolicy,
        pending: PendingUse? = nil,
        nonce: ProofNonce = .unchecked
    ) {
        guard assertion.issuer.isIdentifying, assertion.subject.isIdentifying else { return nil }
        let email = assertion.email.flatMap { EmailAddress($0) }.flatMap { $0.isRelayOfNoOne ? nil : $0 }
        self.init(
            identity: Identity(
                key: Identity.Key(issuer: assertion.issuer, subject: assertion.subject),
                provider: assertion.provider,
                email: email,
                assurance: email.map { policy.assurance(of: assertion, about: $0) } ?? .claimed,
                displayName: assertion.displayName?.bounded,
                photoURL: assertion.photoURL?.bounded,
                username: assertion.username?.bounded
            ),
            assertion: assertion,
            pending: pending,
            nonce: nonce
        )
    }
}
