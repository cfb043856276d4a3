/// Sets a new password by a code that was mailed to the account's address.
struct ResetPassword: Operation {
    let code: OneTimeRecordID
    /// The hash of the password, or the password rule's refusal.
    let password: Result<PasswordHash, PasswordRefusal>

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    /// An account that only displays the address got the code too, and the address may now be another account's own.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        shownAddress(in: seen).map { [request.owner(of: $0)] }
    }

    /// The address of the code, if its account only displays it.
    private func shownAddress(in seen: Snapshot) -> EmailAddress? {
        guard let account = seen.account(of: code), !account.reservesEmail else { return nil }
        return seen.record(code)?.content.resetAddress
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStatus
        var isForReset: Bool
        var isBindingIntact: Bool
        /// Whether the address is the own address of another account that verified it, or left it recently.
        var isAddressOfAnother: Bool
        /// Whether a method would be lost that is older than the address, which was set a short time ago.
        var isAddressYoung: Bool
        var password: AuthPolicy.PasswordRule.Finding
    }

    /// Throws if the password cannot be reset.
    static func rule(_ facts: Facts) throws(Refusal) {
        if let refusal = facts.code.refusal { throw refusal }
        if !facts.isForReset { throw .codeForSomethingElse }
        if !facts.isBindingIntact { throw .codeOutdated }
        if facts.isAddressOfAnother { throw .addressOwned }
        if facts.isAddressYoung { throw .loginNotSenior }
        if facts.password != .accepted { throw Refusal(.weakPassword, facts.password.reason) }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> ActionCode.RecoveryReport {
        let context = transaction.context
        try context.requireEnabled(.password)
        let address = seen.record(code)?.content.resetAddress
        let found = seen.account(of: code)
        let other = seen.owner(ofAddress: shownAddress(in: seen), under: context.policy)
        let occupier = other?.id == found?.id ? nil : other
        let recovered = found.map { recover($0, context) }
        try Self.rule(
            Facts(
                code: seen.status(of: code, context),
                isForReset: address != nil,
                isBindingIntact: found != nil && found?.email == address,
                isAddressOfAnother: isKept(address, by: occupier, under: context.policy),
                isAddressYoung: recovered.flatMap { found?.loses(toYoungMailboxIn: $0, context) } ?? false,
                password: password.finding
            )
        )
        let hash = try password.accepted()
        guard let old = found, var account = recovered, let email = address else { throw .contradiction }
        transaction.reasons.append(.mailboxIsVerified)
        if let occupier { transaction.releaseEmail(occupier, by: .mailbox(email)) }
        if context.policy.passwordReset == .suspendsDoubtful { transaction.reasons.append(.recoverySuspends) }
        // The new password is as old as the first proof of the mailbox that set it; a confirmed address has no age.
        let firstProof = account.proofs(of: email, under: context.policy).map(\.firstAt).min()
        account.note(.email(email), .mailboxCode, at: context.now)
        account.reservesEmail = true
        let method = account.setPassword(hash, at: context.now, seniorSince: firstProof ?? context.now)
        account.cover([method.generation], by: [.email(email)], at: context.now)
        transaction.endOtherSessions(of: &account, except: nil)
        account.knownDevices = []
        let owesFactor = !account.activeFactors.isEmpty && transaction.isNewDevice(to: old)
        transaction.learnDevice(of: &account, owesFactor: owesFactor)
        transaction.consume(code)
        transaction.revokeAll(of: old.id, [.resetPassword, .changeEmail, .factorChallenge])
        // A person who created the account without the mailbox cannot report what the owner of the mailbox does.
        if !old.isEmailVerified(under: context.policy) { transaction.revokeAll(of: old.id, [.changeReport]) }
        transaction.update(old, to: &account, by: .mailbox(email))
        return ActionCode.RecoveryReport(from: old, to: account, device: transaction.newDevice)
    }

    /// The account after a reset, without the methods that control of the mailbox does not cover.
    private func recover(_ old: Account, _ context: DecisionContext) -> Account {
        var account = old
        switch context.policy.passwordReset {
        case .removesFederated:
            account.methods.removeAll { $0.identity != nil }
        case .suspendsDoubtful:
            if account.isAdoptable { account.methods = [] }
            if let email = old.email { account.suspendDoubtful(for: email, sparing: [.password, .emailLink], context) }
        }
        return account
    }

    private func isKept(_ address: EmailAddress?, by occupier: Account?, under policy: AuthPolicy) -> Bool {
        guard let address, let occupier else { return false }
        return !occupier.yieldsEmail(of: address, under: policy)
    }
}

extension OneTimeRecord.Content {
    /// The address at which a password may be reset; nil for other content.
    fileprivate var resetAddress: EmailAddress? {
        guard case .resetPassword(let address) = self else { return nil }
        return address
    }
}
