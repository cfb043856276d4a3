extension Account {
    /// Whether the time to take the deletion back ran out.
    func isDeletionDue(at now: Timestamp) -> Bool { deletedUntil.map { $0 <= now } ?? false }

    /// Whether a former address is kept longer than it may be.
    func isReservationDue(at now: Timestamp) -> Bool { reservations.contains { $0.until <= now } }

    /// Whether time asks for something before anybody else may go on with the account.
    func isDueForExpiry(at now: Timestamp) -> Bool {
        (deletedUntil != nil && isDeletionDue(at: now)) || (!reservations.isEmpty && isReservationDue(at: now))
    }
}

extension Snapshot {
    /// An account among those that were found with which time has something to do first.
    func dueForExpiry(at now: Timestamp) -> AccountID? { accounts.first { $0.isDueForExpiry(at: now) }?.id }
}
