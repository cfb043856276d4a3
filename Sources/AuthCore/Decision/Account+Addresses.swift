extension Account {
    /// The account without its address and without the sign-in methods that are keyed by it.
    func withoutAddress(at now: Timestamp) -> Account {
        var rest = self
        rest.remove(.password)
        rest.dropEmail(at: now)
        return rest
    }

    /// Owns an address whose mailbox was verified now.
    mutating func own(_ email: EmailAddress, at now: Timestamp) {
        note(.email(email), .mailboxCode, at: now)
        reservesEmail = true
        dateMailedLinks(emailVerifiedSince ?? now)
    }

    /// Whether the account gives up the address as soon as another person verifies it.
    ///
    /// An address that the account verified, left and came back to is still reserved for it, and a disabled account
    /// keeps its address.
    func yieldsEmail(of email: EmailAddress, under policy: AuthPolicy) -> Bool {
        let rule = policy.keyRule
        guard let own = self.email, policy.addressReservation == .verifiedAddress, rule.isSameMailbox(own, email) else {
            return false
        }
        return !isDisabled && !hasProof(of: own, under: policy)
            && !reservations.contains { rule.isSameMailbox($0.email, email) }
    }
}
