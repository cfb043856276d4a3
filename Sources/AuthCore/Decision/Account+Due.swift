extension Account {
    /// Whether a former address has been reserved for longer than allowed.
    func isReservationDue(at now: Timestamp) -> Bool { reservations.contains { $0.until <= now } }

    /// Whether the account must be expired or cleaned up before any other operation may continue with it.
    func isDueForExpiry(at now: Timestamp) -> Bool { isDeletionDue(at: now) || isReservationDue(at: now) }

    /// Whether the account may be removed once it was unused for the policy's time.
    var mayExpireUnverified: Bool {
        !wasEverVerified && customClaims.isEmpty && !acceptsCustomTokens && !isDisabled && mergeLock == nil
            && evidence.allSatisfy { !$0.source.isOfOutside } && methods.allSatisfy { $0.identity == nil }
    }

    /// Keeps an account of which nothing was ever verified, for the policy's time from now on.
    ///
    /// While it has sessions, besides one that ends, it is looked at soon instead, since they say how long it is in
    /// use.
    mutating func postponeExpiry(in seen: Snapshot, besides ended: SessionID? = nil, _ context: DecisionContext) {
        if !mayExpireUnverified { return }
        postponeExpiry(hasSessions: seen.hasOpenSession(of: self, besides: ended, context), context)
    }

    /// The same where it is known whether the account has sessions.
    mutating func postponeExpiry(hasSessions: Bool, _ context: DecisionContext) {
        guard let lifetime = context.policy.unverifiedLifetime, mayExpireUnverified else { return }
        dueAt = hasSessions ? context.now : context.now + lifetime
    }

    /// When the service must look at the account: to complete a deletion, to free an address, to remove the account if
    /// nothing about it was ever verified, or to resume a merge, which is due from its beginning.
    func nextDue(_ context: DecisionContext) -> Timestamp? {
        var due = deletedUntil
        for reservation in reservations { due = min(due ?? reservation.until, reservation.until) }
        if mergeLock != nil { due = [due, dueAt, context.now].compactMap(\.self).min() }
        if mayExpireUnverified, let lifetime = context.policy.unverifiedLifetime {
            // A first session can be over sooner. A look that found a session, or what ended one, has set a later time.
            let session = context.policy.sessions.end(on: self, activeAt: createdAt, loginAt: createdAt)
            let first = min(createdAt + lifetime, session ?? .distantFuture)
            let end = max(first, dueAt ?? first)
            due = min(due ?? end, end)
        }
        return due
    }
}

extension Snapshot {
    /// The lookup of the sessions of an account that may be removed when it is not used any more: while it has
    /// sessions, it is not removed.
    func furtherSessions(of id: AccountID) -> Lookups? {
        self[id].flatMap { $0.mayExpireUnverified ? [.sessions(of: .account($0.id))] : nil }
    }

    /// Whether the account has a session that is not over, besides one that ends.
    fileprivate func hasOpenSession(of account: Account, besides ended: SessionID?, _ context: DecisionContext) -> Bool
    {
        sessions(of: .account(account.id)).contains { $0.id != ended && !$0.hasEnded(for: account, context) }
    }

    /// The first of the accounts that were found that must be expired or cleaned up before anything else.
    ///
    /// Those that only reference an address are left to a sweep: strangers can make any number of them, which must cost
    /// the owner of the address nothing.
    func dueForExpiry(at now: Timestamp) -> AccountID? { firstNamed { $0.isDueForExpiry(at: now) }?.id }
}
