/// The operations that were committed recently: the newest replaces the oldest.
struct RecentOperations {
    private var sequences: [OperationID: UInt64] = [:]
    /// The operations in a ring, in the order of their commits.
    private var ring: [OperationID] = []
    private var oldest = 0
    private let limit: Int

    /// Keeps this many of the newest operations.
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
