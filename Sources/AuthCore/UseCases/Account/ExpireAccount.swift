/// Expires what is due on an account: completes a deletion, frees former addresses, removes a never verified account.
struct ExpireAccount: Operation {
    let account: AccountID

    func lookups(_ request: Request) -> Lookups { [.account(account), .sessions(of: .account(account))] }

    /// Returns whether the account is removed.
    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Bool {
        let context = transaction.context
        guard let old = seen[account] else { return false }
        if old.isDeletionDue(at: context.now) || isUnverifiedDue(old, in: seen, context) {
            transaction.reasons.append(.timeRanOut)
            transaction.delete(old, by: .system)
            return true
        }
        if old.isReservationDue(at: context.now) {
            transaction.reasons.append(.timeRanOut)
            var account = old
            account.reservations.removeAll { $0.until <= context.now }
            transaction.update(old, to: &account, by: .system)
            return false
        }
        postpone(old, in: seen, &transaction)
        return false
    }

    /// Whether nothing about the account was ever verified, no session is open, and its lifetime has ended.
    private func isUnverifiedDue(_ account: Account, in seen: Snapshot, _ context: DecisionContext) -> Bool {
        guard let lifetime = context.policy.unverifiedLifetime, account.mayExpireUnverified else { return false }
        if let dueAt = account.dueAt, dueAt > context.now { return false }
        let end = endOfUse(of: account, in: seen, context)
        return end < context.now && context.now - end >= lifetime
    }

    /// When the account is not used any more: the end of its last session, or the last sign-in if it has none.
    ///
    /// A session that never ends counts until now.
    private func endOfUse(of account: Account, in seen: Snapshot, _ context: DecisionContext) -> Timestamp {
        let sessions = seen.sessions(of: .account(account.id)).filter {
            $0.sessionGeneration == account.sessionGeneration
        }
        if let end = sessions.map({ $0.end(for: account, context) ?? context.now }).max() { return end }
        return max(account.createdAt, seen.lastSignIn(of: account.id) ?? account.createdAt)
    }

    /// Writes a later due time if nothing is due yet, so that the next sweep need not look at the account again.
    private func postpone(_ old: Account, in seen: Snapshot, _ transaction: inout Transaction) {
        let context = transaction.context
        guard let dueAt = old.dueAt, dueAt <= context.now, old.mergeLock == nil else { return }
        var account = old
        let end = endOfUse(of: old, in: seen, context)
        // When the last session ends, the account is looked at again, before a sweep removes the session.
        account.dueAt = context.policy.unverifiedLifetime.map { end > context.now ? end : end + max($0, .hours(1)) }
        transaction.replace(old, with: &account)
    }
}
