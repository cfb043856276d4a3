extension Account {
    /// Whether the primary address is verified: derived from evidence, never stored.
    func isEmailVerified(under policy: AuthPolicy) -> Bool {
        guard let email else { return false }
        return hasProof(of: email, under: policy)
    }

    /// Whether the address is verified, and was not before a change.
    func isNewlyVerified(since old: borrowing Account, _ context: DecisionContext) -> Bool {
        let (before, minimum) = (old.evidence, context.policy.minimumAssurance)
        // Few changes bring a proof; the policy is asked about those only.
        let mayBe =
            email != old.email || evidence.contains { $0.source.verifies(from: minimum) && !before.contains($0) }
        return mayBe && !old.isEmailVerified(under: context.policy) && isEmailVerified(under: context.policy)
    }

    /// Whether the account's own address is verified, and one that is not must not replace it.
    func keepsEmail(under policy: AuthPolicy) -> Bool {
        policy.unverifiedEmailChange == .needsVerification && isEmailVerified(under: policy)
    }

    /// The evidence of proofs that count today of this address; a confirmed or claimed address is no proof.
    func proofs(of email: EmailAddress, under policy: AuthPolicy) -> [Evidence] {
        evidence.filter { $0.subject == .email(email) && $0.source.isProof && $0.counts(under: policy) }
    }

    /// Whether evidence that counts today verifies this address, however old it is.
    func hasProof(of email: EmailAddress, under policy: AuthPolicy) -> Bool {
        evidence.indices.contains { evidence[$0].subject == .email(email) && evidence[$0].counts(under: policy) }
    }

    /// Whether a verification of this address is recent enough for automatic linking.
    func hasFreshProof(of email: EmailAddress, at now: Timestamp, under policy: AuthPolicy) -> Bool {
        let isEverlasting = email.isOfGmail
        return evidence.contains { piece in
            guard piece.subject == .email(email), piece.counts(under: policy) else { return false }
            // Where coverage decides, an import links nothing unless its batch is trusted.
            if policy.joining == .whenCovered, piece.source == .imported(trusted: false) { return false }
            guard let lifetime = policy.evidenceLifetime, !isEverlasting else { return true }
            return now - piece.lastAt <= lifetime
        }
    }

    /// Whether fresh evidence proves this address, counting providers' assertions from this assurance on.
    func hasProof(of email: EmailAddress, atLeast minimum: EmailAssurance) -> Bool {
        evidence.indices.contains {
            evidence[$0].isFresh && evidence[$0].subject == .email(email) && evidence[$0].source.verifies(from: minimum)
        }
    }
}

extension Evidence {
    /// Whether it verifies its subject today.
    func counts(under policy: AuthPolicy) -> Bool { isFresh && policy.believes(source, about: subject) }
}
