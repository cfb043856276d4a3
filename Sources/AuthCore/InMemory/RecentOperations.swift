/// The operations that were committed in the last day, by the time of their decisions.
///
/// Two sets of a day each: when a day is over, the older set is dropped as a whole.
struct RecentOperations {
    static var day: Duration { .days(1) }

    private var today = ShardedDictionary<OperationID, Void>()
    private var yesterday = ShardedDictionary<OperationID, Void>()
    private var began: Timestamp?

    func contains(_ operation: OperationID) -> Bool { today[operation] != nil || yesterday[operation] != nil }

    mutating func remember(_ operation: OperationID, at now: Timestamp) {
        if let began {
            if now - began >= Self.day {
                yesterday = today
                today = ShardedDictionary()
                self.began = now
            }
        } else {
            began = now
        }
        today[operation] = ()
    }
}
