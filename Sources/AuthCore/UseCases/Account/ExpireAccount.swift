/// Expires what is due on an account: completes a deletion, frees former addresses, removes a never verified account.
struct ExpireAccount: Operation {
    let account: AccountID

    func lookups(_ request: Request) -> Lookups { [.account(account), .sessions(of: .account(account))] }

    struct Facts: Sendable, Hashable {
        var isThere: Bool
        /// Whether the period for canceling its deletion has ended.
        var isDeletionDue: Bool
        /// Whether nothing about it was ever verified, no session is open, and its lifetime has ended.
        var isUnverifiedDue: Bool
        /// Whether it has reserved former addresses for longer than allowed.
        var isReservationDue: Bool
    }

    enum Finding: Sendable, Hashable {
        case nothing
        case delete
        case freeAddresses
    }

    static func rule(_ facts: Facts) -> Finding {
        guard facts.isThere else { return .nothing }
        if facts.isDeletionDue || facts.isUnverifiedDue { return .delete }
        return facts.isReservationDue ? .freeAddresses : .nothing
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Finding {
        let context = transaction.context
        let old = seen[account]
        let finding = Self.rule(
            Facts(
                isThere: old != nil,
                isDeletionDue: old?.isDeletionDue(at: context.now) ?? false,
                isUnverifiedDue: old.map { isUnverifiedDue($0, in: seen, context) } ?? false,
                isReservationDue: old?.isReservationDue(at: context.now) ?? false
            )
        )
        guard let old else { return .nothing }
        if finding == .nothing {
            postpone(old, in: seen, &transaction)
            return .nothing
        }
        transaction.reasons.append(.timeRanOut)
        if finding == .delete {
            transaction.delete(old, by: .system)
        } else {
            var account = old
            account.reservations.removeAll { $0.until <= context.now }
            transaction.update(old, to: &account, by: .system)
        }
        return finding
    }

    private func isUnverifiedDue(_ account: Account, in seen: Snapshot, _ context: DecisionContext) -> Bool {
        guard let lifetime = context.policy.unverifiedLifetime, account.mayExpireUnverified else { return false }
        return context.now - lastUse(of: account, in: seen, context) >= lifetime
    }

    /// When the account was last signed in to; now while it has a session.
    private func lastUse(of account: Account, in seen: Snapshot, _ context: DecisionContext) -> Timestamp {
        let isSignedIn = seen.sessions(of: .account(account.id)).contains { !$0.hasEnded(for: account, context) }
        if isSignedIn { return context.now }
        return max(account.createdAt, seen.lastSignIn(of: account.id) ?? account.createdAt)
    }

    /// Writes a later due time if nothing is due yet, so that the next sweep need not look at the account again.
    private func postpone(_ old: Account, in seen: Snapshot, _ transaction: inout Transaction) {
        let context = transaction.context
        guard let dueAt = old.dueAt, dueAt <= context.now, old.mergeLock == nil else { return }
        var account = old
        account.dueAt = context.policy.unverifiedLifetime.map { lastUse(of: old, in: seen, context) + $0 }
        transaction.replace(old, with: &account)
    }
}
