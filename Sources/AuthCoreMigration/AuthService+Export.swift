public import AuthCore

extension AuthService {
    /// Returns all accounts after this one as lines of JSON for `importAccounts`; they contain password hashes.
    ///
    /// The article Moving accounts describes the lines.
    ///
    /// ```swift
    /// for try await exported in old.exportAccounts() { lines.append(exported.line) }
    /// ```
    ///
    /// - Parameters:
    ///   - account: The last account of an export that was interrupted; nil for all accounts.
    ///   - pageSize: How many accounts it reads from the store at once.
    /// - Returns: The lines, which are read from the store as they are asked for.
    public func exportAccounts(after account: AccountID? = nil, pageSize: Int = 500) -> AccountExport {
        AccountExport(service: self, start: account, pageSize: pageSize)
    }
}
