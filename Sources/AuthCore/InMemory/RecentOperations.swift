/// The operations that were committed in the last day, by the time of their decisions.
///
/// Two sets of a day each: when a day is over, the older set is dropped as a whole.
struct RecentOperations {
    static var day: Duration { .days(1) }

    private var today = ShardedDictionary<OperationID, Void>()
    private var yesterday = ShardedDictionary<OperationID, Void>()
    private var began: Timestamp?

    func contains(_ operation: OperationID) -> Bool { today[operation] != nil || yesterday[operation] != nil }

    /// Remembers an operation; returns false if it was remembered before.
    @discardableResult
    mutating func remember(_ operation: OperationID, at now: Timestamp) -> Bool {
        if now - (began ?? now) >= Self.day {
            yesterday = today
            today = ShardedDictionary()
            began = now
        }
        began = began ?? now
        return yesterday[operation] == nil && today.updateValue((), forKey: operation) == nil
    }
}
