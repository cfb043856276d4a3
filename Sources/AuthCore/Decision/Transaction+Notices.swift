extension Transaction {
    /// Notifies all addresses that could be notified before the change, and those that can be notified after it.
    ///
    /// Some of them may have the change suspended; the others, and the address that the account leaves, may only end
    /// the sessions. If no address could be notified before, the change is the first of its kind and there is no owner
    /// to warn.
    mutating func notify(
        of change: NoticedChange,
        from old: borrowing Account,
        to new: borrowing Account,
        by actor: IdentityEvent.Actor
    ) {
        guard !change.kinds.isEmpty, !makes(new.id) else { return }
        let assurance = context.policy.minimumAssurance
        let before = old.noticeAddresses(verifiedFrom: assurance)
        guard !before.isEmpty else { return }
        let after = new.noticeAddresses(verifiedFrom: assurance)
        // A mailbox that had no verified address here until now; if it gets its address back, it may be older than all
        // that the account has at this moment.
        let isBack = actor.mailbox.map { !before.contains($0) } ?? false
        var ages: [Timestamp] = []
        for address in before {
            // A single address is the oldest, whatever its age.
            let age = before.count == 1 && !isBack ? nil : old.verifiedSince(address, under: context.policy)
            ages.append(age ?? context.now)
        }
        // A change by a mailed code is as old as the mailbox; one by a new identity, or from outside, is of this
        // moment.
        let mailboxSince = actor.mailbox.flatMap { new.verifiedSince($0, under: context.policy) }
        let authorized = authorizedSince ?? mailboxSince ?? context.now
        // Behind those of the addresses, since it is the age of none of them.
        if isBack, let mailboxSince { ages.append(mailboxSince) }
        let oldest = ages.min()
        for (address, age) in zip(before, ages) {
            let isOldest = age == oldest
            let stays = after.contains(address)
            // What an address that the account left may do is for the code that restores it.
            let isLeft = address == old.email && address != new.email
            // The address that was verified for the longest may have the change suspended, unless a proof of a mailbox
            // took it away. Any other may only if it stays, and was verified before the method that authorized the
            // change was added: what an attacker adds from a stolen session contests what the owner does only where no
            // other address was verified as early.
            let mayContest = if isOldest { stays || actor.mailbox == nil } else { stays && age < authorized }
            var contested = mayContest && !isLeft ? change.contested : Store.ReversibleChange()
            // A code works only while the account has the address; except for the oldest one, unless a mailbox that was
            // not verified before took it away, and for an older one that the change took from the account.
            let isBound = if isOldest { isBack && !mayContest && !isLeft } else { stays || age > authorized }
            if isBound { contested.notifiedAddress = address }
            if let set = contested.email {
                let isItsOwn = context.keyRule.isSameMailbox(set, address)
                contested.ownedBefore = isItsOwn ? context.now : old.verifiedSince(address, under: context.policy)
            }
            notify(new.id, of: change, at: address, contested)
        }
        for address in after where !before.contains(address) {
            notify(new.id, of: change, at: address, Store.ReversibleChange(notifiedAddress: address))
        }
    }

    /// Notifies one address of everything that a change did; `contested` is what its codes can suspend.
    private mutating func notify(
        _ account: AccountID,
        of change: NoticedChange,
        at address: EmailAddress,
        _ contested: Store.ReversibleChange
    ) {
        for kind in change.kinds where kind != .addressChanged || !offersRecovery(to: address) {
            report(kind, to: address, about: account, contested)
        }
    }

    /// Mails a notice with a code that can suspend what is contested; any code can end the account's sessions.
    ///
    /// The code of a merge names it, so that the side that did not carry it out can undo it.
    private mutating func report(
        _ kind: Message.Kind,
        to address: EmailAddress,
        about account: AccountID,
        _ contested: consuming Store.ReversibleChange = Store.ReversibleChange()
    ) {
        contested.merge = merge
        issue(
            context.mailCode(unusedNumber),
            .changeReport(contested),
            kind: kind,
            to: .email(address),
            account: account,
            lifetime: context.policy.lifetimes.notice
        )
    }

    /// Notifies the addresses of both accounts of their merge, those of the target unless they were notified of what
    /// moved.
    ///
    /// The code can only end the sessions of the target. An anonymous account that moves nothing concerns no address.
    mutating func notify(_ source: Account, ofMergeInto target: Account) {
        var addresses = noticedAddresses(of: source)
        if !source.isAnonymous, !changes.messages.contains(where: { $0.account == target.id }) {
            addresses += noticedAddresses(of: target).filter { !addresses.contains($0) }
        }
        for address in addresses { report(.accountMerged, to: address, about: target.id) }
    }

    /// Notifies the addresses of an account, without a code: what happens is contested in another way, or not at all.
    mutating func notify(_ account: Account, of kind: Message.Kind) {
        for address in noticedAddresses(of: account) {
            enqueue(context.mailCode(unusedNumber), kind, to: .email(address), about: account.id)
        }
    }

    /// The addresses at which the account is notified; none where the policy sends no notices.
    private func noticedAddresses(of account: Account) -> [EmailAddress] {
        context.policy.sendsNotices ? account.noticeAddresses(verifiedFrom: context.policy.minimumAssurance) : []
    }

    /// Retracts the notices about an account from earlier steps of the same decision, for one address or for all.
    mutating func retractNotices(about account: AccountID, at address: EmailAddress? = nil) {
        retract { message in
            message.kind.isNotice && message.account == account
                && (address.map { message.recipient == .email($0) } ?? true)
        }
    }

    /// Retracts the messages of this decision that offer to restore an address which is not reserved for the account
    /// any more, since a proof ended that right: their codes would do nothing.
    mutating func retractVoidOffers(about account: borrowing Account) {
        let (id, reserved) = (account.id, account.reservations.map { Message.Recipient.email($0.email) })
        retract { $0.kind == .recoverEmail && $0.account == id && !reserved.contains($0.recipient) }
    }

    private mutating func retract(where isVoid: (OutboxEntry) -> Bool) {
        let void = Set(changes.messages.filter(isVoid).map(\.record))
        changes.messages.removeAll { void.contains($0.record) }
        changes.records.removeAll { if case .put(let record) = $0 { void.contains(record.key) } else { false } }
    }

    /// Whether the account is created by this decision.
    private func makes(_ account: AccountID) -> Bool {
        changes.accounts.contains { if case .create(let new) = $0 { new.id == account } else { false } }
    }

    /// Whether the address is already notified of its loss with a code that can do more.
    private func offersRecovery(to address: EmailAddress) -> Bool {
        changes.messages.contains { $0.kind == .recoverEmail && $0.recipient == .email(address) }
    }
}

extension IdentityEvent.Actor {
    /// The mailbox whose code authorized the change.
    fileprivate var mailbox: EmailAddress? { if case .mailbox(let email) = self { email } else { nil } }
}
