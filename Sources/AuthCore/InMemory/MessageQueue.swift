/// The outbox: the messages by their IDs, and a heap of the times at which they are due.
///
/// A message that is settled or due at another time leaves its old place in the heap behind; such places are skipped,
/// and removed when they are the majority.
struct MessageQueue {
    fileprivate struct Place {
        let dueAt: Timestamp
        /// Orders messages that are due at the same time as they were written.
        let number: UInt64
        let id: OperationID
    }

    typealias QueuedMessage = Store.QueuedMessage

    private var messages: [OperationID: QueuedMessage] = [:]
    private var heap: [Place] = []
    private var lastNumber: UInt64 = 0

    mutating func append(_ entry: OutboxEntry) { put(QueuedMessage(entry)) }

    mutating func lease(at now: Timestamp, until end: Timestamp, limit: Int) -> [QueuedMessage] {
        var leased: [QueuedMessage] = []
        while leased.count < limit, let first = heap.first, first.dueAt <= now {
            removeFirst()
            guard var message = messages[first.id], message.dueAt == first.dueAt else { continue }
            message.tries += 1
            message.dueAt = end
            leased.append(message)
            messages[first.id] = message
        }
        // Afterwards, so that a lease that ends at once does not hand out a message twice.
        for message in leased { put(message) }
        return leased
    }

    mutating func endLease(of id: OperationID, tries: Int, dueAt: Timestamp?) {
        guard var message = messages[id], message.tries == tries, message.dueAt != nil else { return }
        message.dueAt = dueAt
        put(message)
    }

    mutating func settle(_ id: OperationID) {
        guard messages.removeValue(forKey: id) != nil else { return }
        if messages.isEmpty { heap.removeAll(keepingCapacity: heap.count < 1024) }
    }

    func messages(_ status: Store.DeliveryStatus, after id: OperationID?, limit: Int) -> [QueuedMessage] {
        let found = messages.values.filter { message in
            message.status == status && id.map { message.entry.id > $0 } ?? true
        }
        return Array(found.sorted { $0.entry.id < $1.entry.id }.prefix(max(0, limit)))
    }

    private mutating func put(_ message: QueuedMessage) {
        messages[message.entry.id] = message
        guard let dueAt = message.dueAt else { return }
        if heap.count > 64, heap.count > 2 * messages.count { rebuild() }
        lastNumber += 1
        insert(Place(dueAt: dueAt, number: lastNumber, id: message.entry.id))
    }

    private mutating func rebuild() {
        let places = heap.filter { messages[$0.id]?.dueAt == $0.dueAt }
        // A sorted array is a heap.
        heap = places.sorted { $0.isBefore($1) }
    }
}

extension MessageQueue.Place {
    fileprivate func isBefore(_ other: Self) -> Bool { (dueAt, number) < (other.dueAt, other.number) }
}

/// The heap: the place at an index comes before those at twice the index plus one and plus two.
extension MessageQueue {
    private mutating func insert(_ place: Place) {
        heap.append(place)
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while let child = firstChild(of: index), heap[child].isBefore(heap[index]) {
            heap.swapAt(index, child)
            index = child
        }
    }
    private func firstChild(of index: Int) -> Int? {
        let (left, right) = (2 * index + 1, 2 * index + 2)
        if left >= heap.count { return nil }
        return right < heap.count && heap[right].isBefore(heap[left]) ? right : left
    }
}
