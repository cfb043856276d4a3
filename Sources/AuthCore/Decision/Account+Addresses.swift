extension Account {
    /// The account without its address and the ways in that are keyed by it.
    func withoutAddress(at now: Timestamp) -> Account {
        var rest = without(.password)
        rest.dropEmail(at: now)
        return rest
    }

    /// Whether the account has the address only until somebody proves it.
    ///
    /// One that it proved, left and came back to is still kept for it.
    func yieldsEmail(of email: EmailAddress, under policy: AuthPolicy) -> Bool {
        guard let own = self.email, policy.addressReservation == .verifiedAddress, policy.isSameMailbox(own, email)
        else {
            return false
        }
        return !hasProof(of: .email(own), atLeast: policy.minimumAssurance)
            && !reservations.contains { policy.isSameMailbox($0.email, email) }
    }
}
