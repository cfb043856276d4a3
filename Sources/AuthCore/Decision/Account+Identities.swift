extension Account {
    /// Records a provider's assurance about an address as evidence, unless the provider only repeats a claim.
    mutating func recordAssurance(of identity: Identity, at now: Timestamp) {
        guard let named = identity.email, identity.assurance > .claimed else { return }
        var mailbox = named
        // If the mailbox has two names, use the one that the account has.
        if let email, email != named, reservesEmail, email.mailbox == named.mailbox { mailbox = email }
        note(.email(mailbox), .provider(identity.key, identity.assurance), at: now)
    }

    /// Whether a provider's assurance is to be recorded again: it is old, or about an address that the account has
    /// left.
    func hasOldAssurance(of identity: Identity, _ context: DecisionContext) -> Bool {
        guard identity.assurance == .authoritative else { return false }
        let evidence = evidence
        let isRecent = { (index: Int) in
            evidence[index].isFresh
                && (context.assuranceRenewal.map { context.now - evidence[index].lastAt <= $0 } ?? true)
        }
        // The times first, since they cost least and are nearly always recent.
        if evidence.indices.allSatisfy(isRecent) { return false }
        let assurances = evidence.indices.lazy.filter { index in
            evidence[index].source == .provider(identity.key, .authoritative)
                && evidence[index].subject.mailbox == identity.email.map { .email($0.mailbox) }
        }
        if assurances.contains(where: isRecent) { return false }
        return assurances.contains { evidence[$0].isFresh || !isOnlyDisplayed(identity.email) }
    }

    /// Whether the provider's assurance of an identity's address counts for more than before, for example because a
    /// domain was pinned meanwhile, and the account does not only display that address.
    private func gainsAssurance(of identity: Identity) -> Bool {
        guard identity.assurance == .authoritative,
            let old = method(for: identity.key)?.identity
        else { return false }
        return old.assurance < .authoritative && old.email?.mailbox == identity.email?.mailbox
            && !isOnlyDisplayed(identity.email)
    }

    /// Takes over what the provider now says of an identity, and records its assurance if that is old or has grown;
    /// returns its method, nil if the account does not have it.
    mutating func renew(_ identity: Identity, _ context: DecisionContext) -> SignInMethod? {
        let records = hasOldAssurance(of: identity, context) || gainsAssurance(of: identity)
        let method = refresh(identity, context)
        if records { recordAssurance(of: identity, at: context.now) }
        return method
    }

    /// Takes over what the provider now says of an identity; returns its method, nil if the account does not have it.
    mutating func refresh(_ identity: Identity, _ context: DecisionContext) -> SignInMethod? {
        guard let index = methods.firstIndex(where: { $0.isIdentity(identity.key) }),
            let old = methods[index].identity
        else { return nil }
        var new = identity.keepingMailbox(of: old)
        // Two providers may verify the tokens of one issuer: the account keeps the one that was linked, while it is on.
        if !context.policy.disables(methods[index]) { new.provider = old.provider }
        methods[index].kind = .federated(new)
        followMailbox(from: old, to: new, context)
        return methods[index]
    }

    /// Marks the evidence for the old address as stale if the provider that ran its mailbox now gives another address.
    private mutating func followMailbox(from old: Identity, to new: Identity, _ context: DecisionContext) {
        guard let left = old.email, let next = new.email, left.mailbox != next.mailbox else { return }
        // The assurance of an imported identity is not believed, but the provider's own for the new address is.
        let runsMailbox =
            new.assurance == .authoritative
            && context.policy.believes(.provider(old.key, .authoritative), about: .email(left))
        guard old.assurance == .authoritative || runsMailbox else { return }
        let now = context.now
        withdrawEvidence(of: .email(left), at: now)
        if let email, email.mailbox == left.mailbox { withdrawEvidence(of: .email(email), at: now) }
        if old.assurance == .authoritative, new.assurance == .authoritative, !isOnlyDisplayed(next) {
            recordAssurance(of: new, at: now)
        }
    }

    /// Whether the account only displays the address: another account may own it, so it must not be verified here.
    private func isOnlyDisplayed(_ address: EmailAddress?) -> Bool {
        email?.mailbox == address?.mailbox && !reservesEmail
    }

    /// Attributes what a provider said under one key to another, which names the same person.
    mutating func attributeEvidence(of old: Identity.Key, to new: Identity.Key) {
        for index in evidence.indices {
            guard case .provider(old, let assurance) = evidence[index].source else { continue }
            evidence[index].source = .provider(new, assurance)
        }
    }

    /// Displays the address of an identity as the account's, as far as the provider's assurance and the policy allow.
    ///
    /// An address that another account owns is only displayed, as in an account that is created with the identity.
    mutating func display(_ identity: Identity, isTaken: Bool, under policy: AuthPolicy) {
        guard let address = identity.email else { return }
        let isOwn =
            !isTaken && (policy.addressReservation == .everyAddress || identity.assurance >= policy.minimumAssurance)
        // A password that waits for its address must not become attached to an address that others may own.
        if !isOwn && passwordMethod != nil { return }
        // Evidence from earlier must not verify an address that may be another person's by now.
        if !isOwn && hasProof(of: address, under: policy) { return }
        email = address
        reservesEmail = isOwn
    }
}

extension Identity {
    /// The identity, with the address of an earlier token if the provider ran its mailbox and this one names none.
    func keepingMailbox(of old: Identity) -> Identity {
        guard email == nil, old.assurance == .authoritative else { return self }
        var identity = self
        identity.email = old.email
        identity.assurance = old.assurance
        return identity
    }
}
