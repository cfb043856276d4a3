/// Which operations were committed lately: a table in which the oldest row gives way to the newest.
struct RecentOperations {
    private struct Row: TableRow {
        let operation: OperationID
        let sequence: UInt64

        func isNamed(_ key: OperationID) -> Bool { operation == key }

        static func hash(of key: OperationID) -> UInt32 { key.spread }
    }

    private var rows = Table<Row>()
    private var oldest: RowNumber = 0
    private let limit: Int

    /// Remembers this many of the newest operations.
    init(limit: Int = 32_768) { self.limit = max(1, limit) }

    func sequence(of operation: OperationID) -> UInt64? { rows.row(operation)?.sequence }

    mutating func remember(_ operation: OperationID, sequence: UInt64) {
        if rows.count == limit, let row = rows[oldest] {
            // Its number is the next one that is given, so the numbers go round.
            rows.remove(oldest, under: row.operation)
            oldest = (oldest + 1) % RowNumber(limit)
        }
        _ = rows.insert(Row(operation: operation, sequence: sequence), under: operation)
    }
}
