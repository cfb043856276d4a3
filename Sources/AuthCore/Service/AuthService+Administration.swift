extension AuthService {
    /// Returns the account with this id, as it is in the store.
    public func account(_ id: AccountID) async throws(AuthError) -> Account {
        try await administer(id, .lookUp)
    }

    /// Returns the account that has this address as its primary address.
    public func account(email: String) async throws(AuthError) -> Account? {
        try await owner(of: policy.key(for: try parse(email: email)))
    }

    /// Returns the account that signs in with this number.
    public func account(phoneNumber: String) async throws(AuthError) -> Account? {
        try await owner(of: .phone(try parse(phoneNumber: phoneNumber)))
    }

    /// Returns the account that has this identity.
    public func account(identity key: Identity.Key) async throws(AuthError) -> Account? {
        try await owner(of: .identity(key))
    }

    private func owner(of key: UniqueKey) async throws(AuthError) -> Account? {
        try await load([.owner(key)]).owner(of: key)
    }

    /// Returns the accounts after this id, in the order of their ids.
    public func accounts(after id: AccountID? = nil, limit: Int = 100) async throws(AuthError) -> [Account] {
        do {
            return try await store.accounts(after: id, limit: limit)
        } catch {
            throw AuthError(storeFailure: error)
        }
    }

    /// Disables an account, or enables it again.
    @discardableResult
    public func setDisabled(_ isDisabled: Bool, account id: AccountID) async throws(AuthError) -> Account {
        try await administer(id, .setDisabled(isDisabled))
    }

    /// Sets the custom claims of the account's tokens; reserved names are refused.
    @discardableResult
    public func setCustomClaims(
        _ claims: [String: ClaimValue],
        account id: AccountID
    ) async throws(AuthError) -> Account {
        try await administer(id, .setClaims(claims))
    }

    /// Deletes an account and everything that belongs to it.
    public func deleteAccount(_ id: AccountID) async throws(AuthError) {
        _ = try await administer(id, .delete)
    }

    /// Ends every session of an account.
    public func revokeSessions(of id: AccountID) async throws(AuthError) {
        _ = try await administer(id, .revokeSessions)
    }

    /// Removes expired records, at most `limit` of them, and cleans up as many accounts after this one: completes
    /// deletions, frees former addresses, and removes accounts that were never verified or used.
    @discardableResult
    public func sweep(after account: AccountID? = nil, limit: Int = 1000) async throws(AuthError) -> Store.SweepReport {
        var report: SweepReport
        let page: [Account]
        do {
            report = try await store.sweep(at: environment.now, limit: limit)
            page = try await store.accounts(after: account, limit: limit)
        } catch {
            throw AuthError(storeFailure: error)
        }
        for account in page where account.mayBeDue {
            if try await perform(ExpireAccount(account: account.id), RequestContext()).outcome == .delete {
                report.accounts += 1
            }
        }
        report.lastAccount = page.count == limit ? page.last?.id : nil
        return report
    }

    /// Whether the account's address counts as verified under the service's policy.
    public func isEmailVerified(_ account: Account) -> Bool { account.isEmailVerified(under: policy) }

    private func administer(_ id: AccountID, _ act: AdministerAccount.Act) async throws(AuthError) -> Account {
        try await perform(AdministerAccount(account: id, act: act), RequestContext()).outcome
    }
}

extension Account {
    /// Whether a clean-up may have something to do for the account.
    fileprivate var mayBeDue: Bool { !wasEverVerified || deletedUntil != nil || !reservations.isEmpty }
}
