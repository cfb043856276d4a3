extension Account {
    /// Notes a provider's word about an address as evidence, unless it only repeats what it was told.
    mutating func recordAssurance(of identity: Identity, at now: Timestamp) {
        guard let named = identity.email, identity.word > .claimed else { return }
        var mailbox = named
        // A mailbox that has two names has one here.
        if let email, email != named, reservesEmail, email.isTwin(of: named) { mailbox = email }
        note(.email(mailbox), .provider(identity.key, identity.word), at: now)
    }

    /// A changed address at the provider that ran the old one's mailbox makes what was shown of that one worthless.
    mutating func followMailbox(from old: Identity, to new: Identity, at now: Timestamp) {
        guard let left = old.email, let next = new.email, left != next, !left.isTwin(of: next),
            old.word == .authoritative
        else { return }
        withdrawEvidence(of: left, at: now)
        if new.word == .authoritative { recordAssurance(of: new, at: now) }
    }

    /// Shows the address of an identity as the account's own, as far as the provider's word and the policy allow.
    ///
    /// One that is another account's is merely shown, as it is where the identity makes an account.
    mutating func show(_ identity: Identity, isTaken: Bool, under policy: AuthPolicy) {
        guard let address = identity.email else { return }
        let isOwn = !isTaken && (policy.addressReservation == .everyAddress || identity.word >= policy.minimumAssurance)
        // A password that waits for an address must not come to hang on one that others may own.
        if !isOwn && passwordMethod != nil { return }
        email = address
        reservesEmail = isOwn
    }
}
