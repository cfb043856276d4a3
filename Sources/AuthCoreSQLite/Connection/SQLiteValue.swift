#if SQLite
internal import AuthCore

/// A value that a statement is given.
enum SQLiteValue {
    case null
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    /// Text as its UTF-8 bytes, such as a record.
    case utf8([UInt8])
}

extension SQLiteValue {
    static func integer(_ number: Int?) -> SQLiteValue { number.map { .integer(Int64($0)) } ?? .null }

    static func time(_ time: Timestamp?) -> SQLiteValue { time.map { .integer($0.milliseconds) } ?? .null }

    static func text(_ text: String?) -> SQLiteValue { text.map { .utf8(Array($0.utf8)) } ?? .null }

    /// A number that only grows; it stays far below the largest that a column can hold.
    static func number(_ number: UInt64) -> SQLiteValue { .integer(Int64(clamping: number)) }
}
#endif
