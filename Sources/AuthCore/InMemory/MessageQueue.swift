/// The outbox: the messages by their IDs, the order in which they are due, and their IDs by status.
struct MessageQueue {
    typealias QueuedMessage = Store.QueuedMessage

    /// A message's place in the order in which messages are handed out.
    private struct Place: Comparable, Sendable {
        let dueAt: Timestamp
        /// Orders messages that are due at the same time as they were written.
        let number: UInt64
        let id: OperationID

        static func < (left: Place, right: Place) -> Bool { (left.dueAt, left.number) < (right.dueAt, right.number) }
    }

    private var messages = ShardedDictionary<OperationID, (message: QueuedMessage, number: UInt64)>()
    private var due = SortedSet<Place>()
    private var waiting = SortedSet<OperationID>()
    private var failed = SortedSet<OperationID>()
    private var lastNumber: UInt64 = 0

    mutating func append(_ entry: OutboxEntry) { put(QueuedMessage(entry)) }

    mutating func lease(at now: Timestamp, until end: Timestamp, limit: Int) -> [QueuedMessage] {
        due.elements(limit: limit).prefix { $0.dueAt <= now }.compactMap { place in
            guard var message = messages[place.id]?.message else { return nil }
            message.tries += 1
            message.dueAt = end
            settle(place.id)
            put(message)
            return message
        }
    }

    mutating func endLease(of id: OperationID, tries: Int, dueAt: Timestamp?) {
        guard var message = messages[id]?.message, message.tries == tries, message.dueAt != nil else { return }
        message.dueAt = dueAt
        settle(id)
        put(message)
    }

    mutating func settle(_ id: OperationID) {
        guard let (message, number) = messages.removeValue(forKey: id) else { return }
        if let dueAt = message.dueAt {
            due.remove(Place(dueAt: dueAt, number: number, id: id))
            waiting.remove(id)
        } else {
            failed.remove(id)
        }
    }

    func messages(_ status: Store.DeliveryStatus, after id: OperationID?, limit: Int) -> [QueuedMessage] {
        let ids = status == .waiting ? waiting : failed
        return ids.elements(after: id, limit: limit).compactMap { messages[$0]?.message }
    }

    private mutating func put(_ message: QueuedMessage) {
        let id = message.entry.id
        lastNumber += 1
        messages[id] = (message, lastNumber)
        if let dueAt = message.dueAt {
            due.insert(Place(dueAt: dueAt, number: lastNumber, id: id))
            waiting.insert(id)
        } else {
            failed.insert(id)
        }
    }
}
