/// The newest events, in a ring of limited size.
struct EventLog {
    private var ring: [IdentityEvent] = []
    private let limit: Int
    /// The sequence number of the newest event; 0 if there is none.
    private(set) var last: UInt64 = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The sequence number of the oldest event in the log.
    var oldest: UInt64 { last - UInt64(ring.count) + 1 }

    mutating func append(_ event: consuming IdentityEvent) {
        last += 1
        event.sequence = last
        if ring.count < limit {
            ring.append(event)
        } else {
            ring[Int((last - 1) % UInt64(limit))] = event
        }
    }

    func page(after sequence: UInt64, limit wanted: Int) -> EventPage {
        guard wanted > 0, sequence < last else { return EventPage(events: [], oldest: oldest) }
        let first = max(sequence + 1, oldest)
        let end = min(last, first + UInt64(wanted) - 1)
        let events = (first...end).map { ring[Int(($0 - 1) % UInt64(limit))] }
        return EventPage(events: events, oldest: oldest)
    }
}
