#if PostgreSQL
/// A row that a statement returned: its columns, nil for null.
typealias Row = [[UInt8]?]

extension Row {
    func text(_ column: Int) -> String? { self[column].map { String(decoding: $0, as: UTF8.self) } }

    func number(_ column: Int) -> Int64? { self[column].map { Int64(bigEndianBytes: $0) } }
}
#endif
