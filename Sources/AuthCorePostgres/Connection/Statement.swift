#if PostgreSQL
import AuthCoreCrypto

/// A statement with its name, under which a connection prepares it once.
struct Statement: Sendable, Hashable {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}

/// The rows that a statement returned.
struct Rows: Sendable {
    /// A row: its columns, nil for null.
    typealias Row = [[UInt8]?]

    let rows: [Row]
    /// How many rows were written.
    let affected: Int
}

extension Rows.Row {
    func text(_ column: Int) -> String? { self[column].map { String(decoding: $0, as: UTF8.self) } }

    func number(_ column: Int) -> Int64? { self[column].map { Int64(bigEndianBytes: $0) } }
}
#endif
