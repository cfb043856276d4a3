/// Suspends a change by the code of a notice about it, and ends every session.
struct Repudiate: DecidingOperation {
    typealias Outcome = Account

    let code: CapabilityKey

    init(code: CapabilityKey) { self.code = code }

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var isOfNotice: Bool
        var isAccountThere: Bool
        /// Whether the address that was told is still one at which the account's person is told.
        var isRecipientStanding: Bool
        /// Whether something could still sign in with the change suspended and the address it set gone.
        var isUsableWithout: Bool
        /// Whether something could still sign in, or a mailed code could set a password, with the change suspended.
        var isRecoverableWithout: Bool

        init(
            code: CodeStanding,
            isOfNotice: Bool,
            isAccountThere: Bool,
            isRecipientStanding: Bool,
            isUsableWithout: Bool,
            isRecoverableWithout: Bool
        ) {
            self.code = code
            self.isOfNotice = isOfNotice
            self.isAccountThere = isAccountThere
            self.isRecipientStanding = isRecipientStanding
            self.isUsableWithout = isUsableWithout
            self.isRecoverableWithout = isRecoverableWithout
        }
    }

    enum Finding: Sendable, Hashable {
        /// What was added is suspended, and the address that was set goes.
        case suspendEverything
        /// What was added is suspended.
        case suspendMethods
        /// Nothing else would be left: only the factors are suspended.
        case keepMethods
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        if !facts.isOfNotice { return .refuse(.invalidActionCode, .codeIsForSomethingElse) }
        if !facts.isAccountThere || !facts.isRecipientStanding { return .refuse(.invalidActionCode, .codeIsOutdated) }
        if facts.isUsableWithout { return .suspendEverything }
        return facts.isRecoverableWithout ? .suspendMethods : .keepMethods
    }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<Account> {
        let found = snapshot.account(of: code)
        var change: ContestedChange?
        var without = found
        if let notice = snapshot.record(code), case .notMe(let contested) = notice.content {
            change = contested
            without?.suspend(contested, toldAt: notice.createdAt, context)
        }
        let told = change?.toldTo
        var bare = without
        if let email = bare?.email, email == change?.email { bare?.dropEmail(at: context.now) }
        let finding = Self.rule(
            Facts(
                code: snapshot.standing(of: code, context) { _ in true },
                isOfNotice: change != nil,
                isAccountThere: found != nil,
                isRecipientStanding: told.map { address in
                    found?.noticeAddresses(provenBy: context.policy.provingWord).contains(address) ?? false
                } ?? true,
                isUsableWithout: bare?.isUsable(under: context.policy) ?? false,
                isRecoverableWithout: without?.isRecoverable(under: context.policy) ?? false
            )
        )
        var transaction = Transaction(context)
        transaction.reasons.append(.ownerContestsChange)
        var account: Account
        switch finding {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), context)
        case .suspendEverything:
            account = try bare.promised()
        case .suspendMethods:
            account = try without.promised()
        case .keepMethods:
            transaction.reasons.append(.methodIsTheLast)
            let without = try without.promised()
            account = try found.promised()
            account.factors = without.factors
            account.recoveryCodes = without.recoveryCodes
        }
        let old = try found.promised()
        if let until = change?.deletedUntil, account.deletedUntil == until {
            account.deletedUntil = nil
            transaction.event(.deletionTakenBack, account.id, by: .arrival)
        }
        transaction.endOtherSessions(of: &account, except: nil)
        transaction.changes.capabilities.append(.consume(code))
        transaction.changes.capabilities.append(
            .revokeAll(old.id, [.verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed])
        )
        transaction.update(old, to: &account, by: .arrival)
        transaction.event(.sessionsRevoked, account.id, by: .arrival)
        return transaction.granted(account)
    }
}

extension Account {
    /// Suspends what a change added, as far as it is still there.
    ///
    /// A factor that has stood as long as somebody waits who lost it is the account's: the mailbox alone does not take it.
    fileprivate mutating func suspend(_ change: ContestedChange, toldAt told: Timestamp, _ context: DecisionContext) {
        let suspension = Suspension(since: context.now, reason: .ownerContestsChange)
        for index in methods.indices where change.methods.contains(methods[index].generation) {
            methods[index].suspension = methods[index].suspension ?? suspension
        }
        for index in factors.indices where change.factors.contains(factors[index].id) {
            if isSettled(since: factors[index].enrolledAt, context) { continue }
            factors[index].suspension = factors[index].suspension ?? suspension
        }
        if let codes = change.recoveryCodes, recoveryCodes.contains(where: codes.contains),
            !isSettled(since: told, context)
        {
            recoveryCodes = []
        }
    }

    /// Whether what was added then has stood as long as somebody waits who lost their factors.
    private func isSettled(since added: Timestamp, _ context: DecisionContext) -> Bool {
        context.policy.factorRecoveryWait.map { context.now - added >= $0 } ?? false
    }

    fileprivate func isUsable(under policy: AuthPolicy) -> Bool { !usableMethods(under: policy).isEmpty }

    /// Whether its person can still come in, if need be by a new password through the proven address.
    fileprivate func isRecoverable(under policy: AuthPolicy) -> Bool {
        isUsable(under: policy)
            || isEmailVerified(under: policy) && policy.refusal(of: ProviderID.password) == nil
    }
}
