extension Account {
    /// How strongly the account is tied to an address that it references, in the spelling of the rule.
    func strength(of address: EmailAddress, under rule: KeyRule) -> EmailReference.Strength {
        guard let email, rule.spelling(of: email) == address else { return .identity }
        return hasProof(of: .email(email), atLeast: .checked) ? .confirmed : .own
    }
}
