extension Account {
    /// How strongly the account references its own address.
    var ownStrength: EmailReference.Strength? {
        email.map { hasProof(of: $0, atLeast: .confirmed) ? .confirmed : .own }
    }

    /// The addresses that the account references, each once and in the spelling of keys: its own and its identities'.
    package func emailReferences(under rule: KeyRule) -> [(email: EmailAddress, reference: EmailReference)] {
        var references: [(email: EmailAddress, reference: EmailReference)] = []
        func add(_ email: EmailAddress, _ strength: EmailReference.Strength) {
            if references.contains(where: { $0.email == email }) { return }
            references.append((email, EmailReference(account: id, createdAt: createdAt, strength: strength)))
        }
        if let email, let ownStrength { add(rule.spelling(of: email), ownStrength) }
        for method in methods {
            guard case .federated(let identity) = method.kind, let email = identity.email else { continue }
            add(rule.spelling(of: email), .identity)
        }
        return references
    }
}
