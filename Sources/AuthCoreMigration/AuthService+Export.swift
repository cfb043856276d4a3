public import AuthCore

extension AuthService {
    /// Returns all accounts after this one as lines of JSON for `importAccounts`; they contain password hashes.
    ///
    /// The article Moving accounts describes the lines.
    public func exportAccounts(after account: AccountID? = nil, pageSize: Int = 500) -> AccountExport {
        AccountExport(service: self, start: account, pageSize: pageSize)
    }
}
