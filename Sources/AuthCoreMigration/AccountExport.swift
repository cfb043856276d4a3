public import AuthCore

/// One account of an export, as a line of text.
///
/// Printing it shows only the account, since the record has hashes of passwords in it.
public struct ExportedLine: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The account; an interrupted export continues after it.
    public let account: AccountID
    /// The account's record: one line of JSON, without a line break.
    public let line: String

    /// The account.
    public var description: String { "exported account \(account)" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// An empty mirror, so that nothing is printed through it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// All accounts of a service, one line after the other, in the order of their IDs.
///
/// At most one page of accounts is in memory. A change made meanwhile is included if its account was not reached yet.
public struct AccountExport: AsyncSequence, Sendable {
    let service: AuthService
    let start: AccountID?
    let pageSize: Int

    /// Iterates over the accounts.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let service: AuthService
        private let pageSize: Int
        private var last: AccountID?
        private var page: ArraySlice<Account> = []
        private var isOver = false

        init(_ export: AccountExport) {
            service = export.service
            pageSize = Swift.max(1, export.pageSize)
            last = export.start
        }

        /// Returns the next account's line; nil when there are no more.
        ///
        /// - Throws: `canceled`, `internalError` for an account that no record can hold, or the store's error.
        public mutating func next() async throws(AuthError) -> ExportedLine? {
            if page.isEmpty && !isOver {
                if Task.isCancelled { throw AuthError(.canceled, cause: CancellationError()) }
                page = ArraySlice(try await service.accounts(after: last, limit: pageSize))
                isOver = page.isEmpty
            }
            guard let account = page.popFirst() else { return nil }
            last = account.id
            do {
                let record = try Store.RecordCoder().encode(account)
                return ExportedLine(
                    account: account.id,
                    line: AccountExport.oneLine(String(decoding: record, as: UTF8.self))
                )
            } catch {
                throw AuthError(
                    .internalError,
                    message: "The account \(account.id) holds more than a record can; go on after it.",
                    cause: error
                )
            }
        }
    }

    /// Returns JSON without the line breaks that only readers of Unicode see, which occur only inside strings.
    fileprivate static func oneLine(_ json: String) -> String {
        var line = ""
        for scalar in json.unicodeScalars {
            switch scalar {
            case "\u{85}": line += "\\u0085"
            case "\u{2028}": line += "\\u2028"
            case "\u{2029}": line += "\\u2029"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// Returns an iterator from the beginning of the export.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
