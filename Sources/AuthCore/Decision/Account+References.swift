extension Account {
    /// The addresses that the account references, each once and in the spelling of keys: its own and its identities'.
    package func emailReferences(under rule: KeyRule) -> [(email: EmailAddress, reference: EmailReference)] {
        var references: [(email: EmailAddress, reference: EmailReference)] = []
        func add(_ email: EmailAddress, _ strength: EmailReference.Strength) {
            if references.contains(where: { $0.email == email }) { return }
            references.append((email, EmailReference(account: id, createdAt: createdAt, strength: strength)))
        }
        if let email { add(rule.spelling(of: email), hasProof(of: email, atLeast: .confirmed) ? .confirmed : .own) }
        for method in methods {
            guard case .federated(let identity) = method.kind, let email = identity.email else { continue }
            add(rule.spelling(of: email), .identity)
        }
        return references
    }
}
