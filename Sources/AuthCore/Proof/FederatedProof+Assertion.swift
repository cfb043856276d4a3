extension FederatedProof {
    /// The proof of an assertion; nil for one whose issuer or subject cannot identify a person.
    package convenience init?(_ assertion: ProviderAssertion, under policy: AuthPolicy) {
        self.init(assertion, under: policy, pending: nil, nonce: .none)
    }

    /// The same of an assertion that comes from a pending identity, or with a nonce.
    convenience init?(
        _ assertion: ProviderAssertion,
        under policy: AuthPolicy,
        pending: PendingUse? = nil,
        nonce: ProofNonce = .none
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

extension Identity {
    /// Whether it is as a proof would give it: an issuer and a subject that can identify, and no long texts.
    var isBounded: Bool {
        key.issuer.text.isIdentifying && key.subject.text.isIdentifying
            && [displayName, photoURL, username].allSatisfy { $0?.isBounded ?? true }
    }
}

extension String {
    /// Whether the text can be an identifier: not empty, not long, no control characters; never trimmed or case-folded.
    fileprivate var isIdentifying: Bool {
        (1...1024).contains(utf8.count) && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
