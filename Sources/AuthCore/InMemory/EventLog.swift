/// The newest events, in chunks of which the oldest is removed as a whole.
struct EventLog {
    private static var chunkLimit: UInt64 { 256 }

    private var chunks: [[IdentityEvent]] = []
    /// How many events were removed with their chunks.
    private var removed: UInt64 = 0
    private let limit: UInt64
    /// How many events were ever written: the number of the newest.
    private var last: UInt64 = 0

    init(limit: Int) { self.limit = UInt64(max(1, limit)) }

    var end: IdentityEvent.Position { IdentityEvent.Position(number: last) }

    mutating func append(_ event: consuming IdentityEvent) {
        if (last - removed) % Self.chunkLimit == 0 {
            if last - removed >= limit + Self.chunkLimit {
                chunks.removeFirst()
                removed += Self.chunkLimit
            }
            var chunk: [IdentityEvent] = []
            chunk.reserveCapacity(Int(Self.chunkLimit))
            chunks.append(chunk)
        }
        last += 1
        event.position = end
        chunks[chunks.count - 1].append(event)
    }

    func page(after position: IdentityEvent.Position, limit wanted: Int) -> Store.EventPage {
        // No more than the limit is shown, though whole chunks are kept.
        let hidden = last > limit ? last - limit : 0
        let first = max(position.incarnation > 0 || position.transaction > 0 ? last : position.number, hidden)
        let count = first < last ? min(last - first, UInt64(max(0, wanted))) : 0
        let events = (0..<count).map { offset in
            let place = first + offset - removed
            return chunks[Int(place / Self.chunkLimit)][Int(place % Self.chunkLimit)]
        }
        return Store.EventPage(events: events, removed: IdentityEvent.Position(number: hidden), end: end)
    }
}
