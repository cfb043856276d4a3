public import AuthCore

extension AuthService {
    /// All accounts after this one as lines of JSON, which `importAccounts` reads; passwords' hashes are in them.
    ///
    /// The article Moving Accounts describes the lines.
    public func exportAccounts(after account: AccountID? = nil, pageSize: Int = 500) -> AccountExport {
        AccountExport(service: self, start: account, pageSize: pageSize)
    }
}
