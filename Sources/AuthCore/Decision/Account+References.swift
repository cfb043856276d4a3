extension Account {
    /// How strongly the account is tied to an address that it references.
    func strength(of email: EmailAddress) -> EmailReference.Strength {
        guard self.email == email else { return .identity }
        return hasProof(of: .email(email), atLeast: .checked) ? .confirmed : .own
    }
}
