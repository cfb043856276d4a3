/// Sets a new password by a code that was mailed to the account's address.
struct ResetPassword: Operation {
    let code: OneTimeRecordID
    /// The hash of the password, or the password rule's refusal.
    let password: Result<PasswordHash, Refusal>

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    /// What can report the account's address, if a reset there can take methods away, and who owns a displayed one.
    ///
    /// An account that only displays the address got the code too, and it may now be another account's own.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard let account = seen.account(of: code) else { return nil }
        let reports: Lookup = .records(of: .account(account.id), .changeReport)
        let owner = displayedAddress(in: seen).map { request.owner(of: $0) }
        let canLose = account.methods.contains { !$0.kind.isOfAddress }
        return Lookups([canLose ? reports : nil, owner].compactMap(\.self))
    }

    /// The address of the code, if its account only displays it.
    private func displayedAddress(in seen: Snapshot) -> EmailAddress? {
        guard let account = seen.account(of: code), !account.reservesEmail else { return nil }
        return seen.record(code)?.content.resetAddress
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> ActionCode.RecoveryReport {
        let context = transaction.context
        try context.requireEnabled(.password)
        if let refusal = seen.status(of: code, context).refusal { throw refusal }
        guard let email = seen.record(code)?.content.resetAddress else { throw .codeForSomethingElse }
        guard let old = seen.account(of: code), old.email == email else { throw .codeOutdated }
        let occupier = seen.otherOwner(ofAddress: displayedAddress(in: seen), than: old.id, under: context.policy)
        if let occupier, !occupier.yieldsEmail(of: email, under: context.policy) { throw .addressOwned }
        var account = recover(old, context)
        try old.requireSettledAddress(for: account, in: seen, context)
        let hash = try password.get()
        transaction.reasons.append(.mailboxIsVerified)
        if let occupier { transaction.releaseEmail(occupier, by: .mailbox(email)) }
        if context.policy.passwordReset == .suspendsDoubtful { transaction.reasons.append(.recoverySuspends) }
        // The new password is as old as the first proof of the mailbox that set it; a confirmed address has no age.
        let firstProof = account.proofs(of: email, under: context.policy).map(\.firstAt).min()
        account.own(email, at: context.now)
        let method = account.setPassword(hash, at: context.now, seniorSince: firstProof ?? context.now)
        account.cover([method.generation], by: [.email(email)], at: context.now)
        transaction.endOtherSessions(of: &account, except: nil)
        account.knownDevices = []
        let requiresFactor = !account.activeFactors.isEmpty && transaction.isNewDevice(to: old)
        transaction.learnDevice(of: &account, requiresFactor: requiresFactor)
        transaction.consume(code)
        transaction.revokeAll(of: old.id, [.resetPassword, .changeEmail, .factorChallenge])
        // A person who created the account without the mailbox cannot report what the owner of the mailbox does.
        if !old.isEmailVerified(under: context.policy) { transaction.revokeAll(of: old.id, [.changeReport]) }
        // Nor may one whose account is adopted take it back to an address of before, or complete what they began.
        if adopts(old, context.policy) { transaction.revokeAll(of: old.id, [.recoverEmail, .verifyEmail]) }
        // A person who sets a new password does not want the account to be deleted, or did not ask for that.
        transaction.cancelDeletion(of: &account, by: .mailbox(email))
        transaction.update(old, to: &account, by: .mailbox(email))
        return ActionCode.RecoveryReport(from: old, to: account, device: transaction.newDevice)
    }

    /// Whether the owner of the mailbox gets the account without what was added before.
    private func adopts(_ old: Account, _ policy: AuthPolicy) -> Bool {
        old.isAdoptable && (policy.unverifiedOwner == .adopted || policy.passwordReset == .suspendsDoubtful)
    }

    /// The account after a reset, without the methods that control of the mailbox does not cover.
    private func recover(_ old: Account, _ context: DecisionContext) -> Account {
        var account = old
        if adopts(old, context.policy) { account.removeUnverified(under: context.policy) }
        switch context.policy.passwordReset {
        case .removesFederated:
            account.methods.removeAll { $0.identity != nil }
            account.blockAutoLinking(old.methods, context)
        case .suspendsDoubtful:
            if let email = old.email { account.suspendDoubtful(for: email, sparing: [.password, .emailLink], context) }
        }
        return account
    }
}

extension OneTimeRecord.Content {
    /// The address at which a password may be reset; nil for other content.
    fileprivate var resetAddress: EmailAddress? { if case .resetPassword(let address) = self { address } else { nil } }
}
