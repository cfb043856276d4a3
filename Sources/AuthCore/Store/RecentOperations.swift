/// Which operations were committed lately, in two generations so that forgetting costs nothing.
struct RecentOperations {
    private var current: [OperationID: UInt64] = [:]
    private var previous: [OperationID: UInt64] = [:]
    private let generationSize: Int

    /// Remembers at least this many of the newest operations.
    init(atLeast count: Int = 32_768) {
        generationSize = count
    }

    func sequence(of operation: OperationID) -> UInt64? {
        current[operation] ?? previous[operation]
    }

    mutating func remember(_ operation: OperationID, sequence: UInt64) {
        if current.count >= generationSize {
            previous = current
            current = Dictionary(minimumCapacity: generationSize)
        }
        current[operation] = sequence
    }
}
