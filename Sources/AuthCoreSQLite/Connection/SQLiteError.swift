/// What SQLite answered to a statement that failed.
///
/// It is the `cause` of the `AuthError` that an operation throws then. It contains no values of the statement.
#if !SQLite
@available(*, unavailable, message: "turn on the trait SQLite of auth-core to keep accounts in a file")
#endif
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// SQLite's extended result code, such as 13 for a full disk or 5 for a database that is locked.
    public let code: Int32
    /// SQLite's message.
    public let message: String

    /// Creates an error with this code and message.
    package init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// The primary result code, of which the extended code is one kind.
    public var primaryCode: Int32 { code & 0xFF }

    /// The code and the message.
    public var description: String { "SQLite error \(code): \(message)" }
}
