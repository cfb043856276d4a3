/// Suspends a change by the code of a notice about it, and ends every session.
struct ReportUnauthorizedChange: Operation {
    let code: OneTimeRecordID

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    struct Facts: Sendable, Hashable {
        var code: CodeStatus
        var isOfNotice: Bool
        var isAccountThere: Bool
        /// Whether the notified address is still one at which the account's owner is notified.
        var isRecipientCurrent: Bool
        /// Whether a sign-in would still be possible with the change suspended and the address it set removed.
        var isUsableWithout: Bool
        /// Whether a sign-in, or a new password by a mailed code, would still be possible with the change suspended.
        var isRecoverableWithout: Bool
    }

    enum Finding: Sendable, Hashable {
        /// Suspend what was added, and remove the address that was set.
        case suspendEverything
        /// Suspend what was added.
        case suspendMethods
        /// Suspend only the factors, since no other method would be left.
        case keepMethods
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if let refusal = facts.code.refusal { throw refusal }
        if !facts.isOfNotice { throw .codeForSomethingElse }
        if !facts.isAccountThere || !facts.isRecipientCurrent { throw .codeOutdated }
        if facts.isUsableWithout { return .suspendEverything }
        return facts.isRecoverableWithout ? .suspendMethods : .keepMethods
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Account {
        let context = transaction.context
        let found = seen.account(of: code)
        let contested = found.flatMap { Contested(seen.record(code), on: $0, context) }
        let finding = try Self.rule(
            Facts(
                code: seen.status(of: code, context),
                isOfNotice: seen.record(code)?.purpose == .changeReport,
                isAccountThere: found != nil,
                isRecipientCurrent: contested?.isRecipientCurrent ?? true,
                isUsableWithout: contested?.withoutAddress.hasUsableMethod(under: context.policy) ?? false,
                isRecoverableWithout: contested?.without.isRecoverable(under: context.policy) ?? false
            )
        )
        guard let old = found, let contested else { throw .contradiction }
        transaction.reasons.append(.ownerReportsChange)
        var account: Account
        switch finding {
        case .suspendEverything:
            account = contested.withoutAddress
        case .suspendMethods:
            account = contested.without
        case .keepMethods:
            transaction.reasons.append(.methodIsTheLast)
            account = old
            account.factors = contested.without.factors
            account.recoveryCodes = contested.without.recoveryCodes
        }
        if let until = contested.change.deletedUntil, account.deletedUntil == until {
            transaction.takeDeletionBack(of: &account, by: .unauthenticated)
        }
        transaction.endOtherSessions(of: &account, except: nil)
        account.forgetDevices(except: context.request.context.device)
        transaction.consume(code)
        transaction.revokeAll(of: old.id, [.verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed])
        transaction.update(old, to: &account, by: .unauthenticated)
        transaction.event(.sessionsRevoked, account.id, by: .unauthenticated)
        return account
    }

    /// The change that a notice reported, and what the account would be without it.
    private struct Contested {
        let change: ReversibleChange
        /// The account with everything suspended that the change added.
        let without: Account
        /// The same account, without the address that the change set.
        let withoutAddress: Account
        /// Whether the notified address is still one of the account's.
        let isRecipientCurrent: Bool

        init?(_ notice: OneTimeRecord?, on account: Account, _ context: DecisionContext) {
            guard let notice, case .changeReport(let change) = notice.content else { return nil }
            self.change = change
            var without = account
            without.suspend(change, since: notice.createdAt, context)
            self.without = without
            if let email = without.email, email == change.email {
                // The person who set the address may know the password, which another address would bring back.
                without.suspendMethods(for: .ownerReportsChange, at: context.now, where: \.kind.isOfAddress)
                without.dropEmail(at: context.now)
            }
            withoutAddress = without
            let addresses = account.noticeAddresses(verifiedBy: context.policy.minimumAssurance)
            isRecipientCurrent = change.notifiedAddress.map { addresses.contains($0) } ?? true
        }
    }
}

extension Account {
    /// Suspends what a change added, as far as it is still there.
    ///
    /// A factor is spared if it was enrolled for as long as a recovery from lost factors must wait: the mailbox alone
    /// does not remove it.
    fileprivate mutating func suspend(_ change: ReversibleChange, since noticed: Timestamp, _ context: DecisionContext)
    {
        suspendMethods(for: .ownerReportsChange, at: context.now) { change.methods.contains($0.generation) }
        let suspension = SignInMethod.Suspension(since: context.now, reason: .ownerReportsChange)
        for index in factors.indices where change.factors.contains(factors[index].id) {
            if isSettled(since: factors[index].enrolledAt, context) { continue }
            factors[index].suspension = factors[index].suspension ?? suspension
        }
        if let codes = change.recoveryCodes, recoveryCodes.contains(where: codes.contains),
            !isSettled(since: noticed, context)
        {
            recoveryCodes = []
        }
    }

    /// Whether what was added then is as old as the wait of a recovery from lost factors.
    private func isSettled(since added: Timestamp, _ context: DecisionContext) -> Bool {
        context.policy.factorRecoveryWait.map { context.now - added >= $0 } ?? false
    }

    /// Whether the owner can still sign in, if necessary by a new password or a link through the verified address.
    fileprivate func isRecoverable(under policy: AuthPolicy) -> Bool {
        hasUsableMethod(under: policy) || canSignInByMail(under: policy)
    }
}
