extension AuthService {
    /// Returns the account with this ID; a deletion or a reservation that is due is carried out first.
    ///
    /// - Parameter id: The account's ID.
    /// - Returns: The account.
    /// - Throws: ``AuthErrorCode/userNotFound`` if there is none, or ``AuthErrorCode/accountMerged`` if it was merged
    ///   into another.
    public func account(_ id: AccountID) async throws(AuthError) -> Account { try await administer(id, .lookUp) }

    /// Returns the account to which this address belongs, so that no other account can have it.
    ///
    /// Under ``AuthPolicy/AddressReservation/verifiedAddress`` that is an account which verified it, or uses it for a
    /// password or sign-in links; not one that a concealed sign-up made and that has not verified it yet. Under
    /// ``AuthPolicy/AddressReservation/everyAddress`` it is the account that displays it.
    ///
    /// Under ``AuthPolicy/standard``, most accounts of people who sign in by a provider only display its address, and
    /// are not found by it: ask the view `readable_addresses` of the store, or look through ``accounts(after:limit:)``.
    ///
    /// - Parameter email: The address.
    /// - Returns: The account; nil if there is none, and for an address that an account only displays.
    /// - Throws: ``AuthErrorCode/invalidEmail``, or the store's error.
    public func account(email: String) async throws(AuthError) -> Account? {
        let email = try parse(email: email)
        // The key also finds an account that left the address, for as long as the address is reserved for its return.
        let found = try await owner(of: policy.key(for: email))
        return policy.keyRule.isSameMailbox(found?.email, email) ? found : nil
    }

    /// Returns the account that signs in with this number.
    ///
    /// - Parameter phoneNumber: The number, in international form.
    /// - Returns: The account; nil if there is none.
    /// - Throws: ``AuthErrorCode/missingPhoneNumber``, ``AuthErrorCode/invalidPhoneNumber``, or the store's error.
    public func account(phoneNumber: String) async throws(AuthError) -> Account? {
        try await owner(of: .phone(try parse(phoneNumber: phoneNumber)))
    }

    /// Returns the account that has this identity.
    ///
    /// - Parameter key: The issuer and the subject of the identity.
    /// - Returns: The account; nil if there is none.
    /// - Throws: The store's error.
    public func account(identity key: Identity.Key) async throws(AuthError) -> Account? {
        try await owner(of: .identity(key))
    }

    /// Returns the account with this key; what is due is carried out first.
    private func owner(of key: UniqueKey) async throws(AuthError) -> Account? {
        let seen = try await load([.owner(key)])
        guard let due = seen.dueForExpiry(at: environment.now) else { return seen.owner(of: key) }
        _ = try await perform(ExpireAccount(account: due), RequestContext())
        return try await load([.owner(key)]).owner(of: key)
    }

    /// Returns the accounts after this ID, in the order of their IDs.
    ///
    /// - Parameters:
    ///   - id: The last account of the page before; nil for the first page.
    ///   - limit: How many accounts at most.
    /// - Returns: The accounts; none if there are no more.
    /// - Throws: The store's error.
    public func accounts(after id: AccountID? = nil, limit: Int = 100) async throws(AuthError) -> [Account] {
        try await ask { store in try await store.accounts(after: id, limit: limit) }
    }

    /// Disables an account, or enables it again.
    ///
    /// Sign-ins to a disabled account are refused, and so are its sessions. Codes that are mailed to its address still
    /// work, so that its owner can take back what an attacker did. A deletion that its owner asked for is completed all
    /// the same, and then the person can make a new account.
    ///
    /// - Parameters:
    ///   - isDisabled: Whether the account is disabled from now on.
    ///   - id: The account.
    /// - Returns: The account after the change.
    /// - Throws: ``AuthErrorCode/userNotFound`` or ``AuthErrorCode/accountMerged``.
    @discardableResult
    public func setDisabled(_ isDisabled: Bool, account id: AccountID) async throws(AuthError) -> Account {
        try await administer(id, .setDisabled(isDisabled))
    }

    /// Sets the custom claims of the account's tokens; reserved names are refused.
    ///
    /// - Parameters:
    ///   - claims: The claims, in place of all earlier ones.
    ///   - id: The account.
    /// - Returns: The account after the change.
    /// - Throws: ``AuthErrorCode/invalidCustomClaims`` if the claims use reserved names or are too large,
    ///   ``AuthErrorCode/userNotFound`` or ``AuthErrorCode/accountMerged``.
    @discardableResult
    public func setCustomClaims(
        _ claims: [String: ClaimValue],
        account id: AccountID
    ) async throws(AuthError) -> Account { try await administer(id, .setClaims(claims)) }

    /// Deletes an account and everything that belongs to it, at once.
    ///
    /// The time in which a person can cancel their own deletion (``AuthPolicy/deletionGrace``) does not apply. The
    /// account's ID is never used again.
    ///
    /// - Parameter id: The account.
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/accountMerged``, or ``AuthErrorCode/mergeInProgress``
    ///   while the hooks of a merge have not all been told how it ended.
    public func deleteAccount(_ id: AccountID) async throws(AuthError) { _ = try await administer(id, .delete) }

    /// Ends every session of an account.
    ///
    /// - Parameter id: The account.
    /// - Throws: ``AuthErrorCode/userNotFound`` or ``AuthErrorCode/accountMerged``.
    public func revokeSessions(of id: AccountID) async throws(AuthError) {
        _ = try await administer(id, .revokeSessions)
    }

    /// Removes all second factors of an account and its recovery codes, for a person who lost them, and ends its
    /// sessions.
    ///
    /// The verified addresses are notified, if the policy sends notices. Under a policy without
    /// ``AuthPolicy/factorRecoveryWait`` this is the only help for a person who has no recovery code left. Make sure
    /// first who asks: from then on a first factor alone signs in.
    ///
    /// - Parameter id: The account.
    /// - Returns: The account without factors.
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/accountMerged``, or ``AuthErrorCode/mergeInProgress``.
    @discardableResult
    public func removeFactors(of id: AccountID) async throws(AuthError) -> Account {
        try await administer(id, .removeFactors)
    }

    /// Removes expired records and sessions, and cleans up the accounts that are due, at most `limit` of either.
    ///
    /// It completes deletions, frees former addresses, and removes accounts that were never verified or used. In the
    /// end it removes messages that were given up long ago.
    ///
    /// It costs what is due, not what exists. Call it again while the report is not complete;
    /// ``run(every:reportingTo:)`` does so.
    ///
    /// - Parameter limit: How many rows, and how many accounts, it cleans up at most.
    /// - Returns: How much was removed, and whether that was all.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the store fails. If one account cannot be cleaned up, the others
    ///   are, and its error is thrown at the end. What was removed stays removed; call it again.
    @discardableResult
    public func sweep(limit: Int = 1000) async throws(AuthError) -> Store.SweepReport {
        let now = environment.now
        var report = Store.SweepReport(isComplete: false)
        let oldest = now - (policy.unverifiedLifetime ?? .zero)
        var looked = 0
        var isOver = false
        var last: Account?
        // The first error, and when the first account was due that could not be looked at.
        var failure: AuthError?
        var unread: Timestamp?
        while !isOver, looked < limit {
            var page: [Account] = []
            do { page = try await accounts(dueBy: now, after: last, limit: min(100, limit - looked)) } catch {
                if error.code == .canceled { throw error }
                (failure, unread) = (failure ?? error, unread ?? last?.dueAt ?? oldest)
            }
            isOver = page.isEmpty
            last = page.last ?? last
            // An account with a merge in progress is due for that; it holds up no other.
            for account in page
            where account.mergeLock == nil || account.isDueForExpiry(at: now) && !account.isLocked(from: nil, at: now) {
                looked += 1
                do throws(AuthError) {
                    let isRemoved = try await perform(ExpireAccount(account: account.id), RequestContext())
                    if isRemoved { report.accounts += 1 } else { report.kept += 1 }
                } catch {
                    if error.code == .canceled { throw error }
                    // One that cannot be read holds up no other.
                    (failure, unread) = (failure ?? error, unread ?? account.dueAt ?? oldest)
                }
            }
        }
        // A session says when its account was last used: none goes before the account was looked at, unless it ended so
        // long ago that this makes no difference.
        let looksEnd = (unread ?? last?.dueAt ?? oldest) - .milliseconds(1)
        let until = isOver && unread == nil ? now : max(looksEnd, oldest)
        do throws(AuthError) {
            let rows = try await ask { store in try await store.sweep(at: until, limit: limit) }
            (report.records, report.sessions) = (rows.records, rows.sessions)
            report.isComplete = rows.isComplete && isOver
            if isOver { try await removeOldFailures(at: now) }
        } catch { throw error.code == .canceled ? error : failure ?? error }
        if let failure { throw failure }
        return report
    }

    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws(AuthError) -> [Account] {
        try await ask { store in try await store.accounts(dueBy: now, after: after, limit: limit) }
    }

    /// Returns whether the account's address counts as verified under the service's policy.
    ///
    /// - Parameter account: The account.
    /// - Returns: Whether the address counts as verified.
    public func isEmailVerified(_ account: Account) -> Bool { account.isEmailVerified(under: policy) }

    private func administer(_ id: AccountID, _ act: AdministerAccount.Act) async throws(AuthError) -> Account {
        try await perform(AdministerAccount(account: id, act: act), RequestContext())
    }
}
