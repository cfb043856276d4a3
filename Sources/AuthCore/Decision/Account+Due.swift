extension Account {
    /// Whether the period for canceling the deletion has ended.
    func isDeletionDue(at now: Timestamp) -> Bool { deletedUntil.map { $0 <= now } ?? false }

    /// Whether a former address has been reserved for longer than allowed.
    func isReservationDue(at now: Timestamp) -> Bool { reservations.contains { $0.until <= now } }

    /// Whether the account must be expired or cleaned up before any other operation may continue with it.
    func isDueForExpiry(at now: Timestamp) -> Bool {
        (deletedUntil != nil && isDeletionDue(at: now)) || (!reservations.isEmpty && isReservationDue(at: now))
    }
}

extension Snapshot {
    /// The first of the accounts that were found that must be expired or cleaned up before anything else.
    func dueForExpiry(at now: Timestamp) -> AccountID? { firstRow { $0.isDueForExpiry(at: now) }?.account.id }
}
