/// The operations that were committed in the last day, by the time of their decisions.
///
/// Two sets of a day each: when a day is over, the older set is dropped as a whole.
struct RecentOperations {
    static var day: Duration { .days(1) }

    private var today = SortedSet<OperationID>()
    private var yesterday = SortedSet<OperationID>()
    private var began = Timestamp.distantPast

    func contains(_ operation: OperationID) -> Bool { today.contains(operation) || yesterday.contains(operation) }

    /// Remembers a new operation.
    mutating func remember(_ operation: OperationID, at now: Timestamp) {
        // A clock that was far ahead must not keep the day from ending.
        if began - now > Self.day { began = now }
        if now - began >= Self.day {
            yesterday = today
            today = SortedSet()
            began = now
        }
        today.insert(operation)
    }
}
