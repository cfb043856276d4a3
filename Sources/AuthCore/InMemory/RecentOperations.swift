/// Which operations were committed lately: the oldest gives way to the newest.
struct RecentOperations {
    private var sequences: [OperationID: UInt64] = [:]
    /// The operations in a ring, in the order in which they came.
    private var ring: [OperationID] = []
    private var oldest = 0
    private let limit: Int

    /// Remembers this many of the newest operations.
    init(limit: Int = 32_768) { self.limit = max(1, limit) }

    func sequence(of operation: OperationID) -> UInt64? { sequences[operation] }

    mutating func remember(_ operation: OperationID, sequence: UInt64) {
        if ring.count < limit {
            ring.append(operation)
        } else {
            sequences[ring[oldest]] = nil
            ring[oldest] = operation
            oldest = (oldest + 1) % limit
        }
        sequences[operation] = sequence
    }
}
