extension Account {
    /// The account without its address and without the sign-in methods that are keyed by it.
    func withoutAddress(at now: Timestamp) -> Account {
        var rest = self
        rest.remove(.password)
        rest.dropEmail(at: now)
        return rest
    }

    /// Releases an address to which the account returns, and those that it had after it.
    mutating func forgetAddresses(since email: EmailAddress) {
        guard let index = reservations.firstIndex(where: { $0.email == email }) else { return }
        reservations.removeSubrange(index...)
    }

    /// Owns an address whose mailbox was verified now.
    mutating func own(_ email: EmailAddress, at now: Timestamp) {
        note(.email(email), .mailboxCode, at: now)
        reservesEmail = true
        endLaterAddresses(than: email)
    }

    /// Those that the account had after an address that was verified now cannot take it back any more.
    mutating func endLaterAddresses(than email: EmailAddress) {
        guard let index = reservations.lastIndex(where: { $0.email.mailbox == email.mailbox }) else { return }
        reservations.removeSubrange((index + 1)...)
    }

    /// Whether the account gives up the address as soon as another person verifies it.
    ///
    /// An address that the account verified, left and came back to is still reserved for it.
    func yieldsEmail(of email: EmailAddress, under policy: AuthPolicy) -> Bool {
        guard let own = self.email, policy.addressReservation == .verifiedAddress, policy.isSameMailbox(own, email)
        else {
            return false
        }
        return !hasProof(of: own, under: policy)
            && !reservations.contains { policy.isSameMailbox($0.email, email) }
    }
}
