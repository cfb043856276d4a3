/// Suspends a change by the code of a notice about it, and ends every session.
struct ReportUnauthorizedChange: Operation {
    let code: OneTimeRecordID

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    /// Returns the verified address that the account has then.
    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> EmailAddress? {
        let context = transaction.context
        if let refusal = seen.status(of: code, context).refusal { throw refusal }
        guard let notice = seen.record(code), case .changeReport(let change) = notice.content else {
            throw .codeForSomethingElse
        }
        // An address at which the account's owner is no longer notified contests nothing.
        guard let old = seen.account(of: code), old.isNotified(at: change.notifiedAddress, under: context.policy) else {
            throw .codeOutdated
        }
        transaction.reasons.append(.ownerReportsChange)
        transaction.authorizedSince = .distantPast
        var suspended = old
        suspended.suspend(change, since: notice.createdAt, context)
        var account = suspended
        account.dropEmail(setBy: change, context)
        // The address stays if nothing else would sign in, and a method if its owner could not sign in again, not even
        // by the code that restores an address.
        if !account.hasUsableMethod(under: context.policy) { account = suspended }
        if !account.isRecoverable(under: context.policy), !account.hasReservation(at: context.now) {
            transaction.reasons.append(.methodIsTheLast)
            account = old
            account.factors = suspended.factors
            account.recoveryCodes = suspended.recoveryCodes
        }
        if let until = change.deletedUntil, account.deletedUntil == until {
            transaction.cancelDeletion(of: &account, by: .unauthenticated)
        }
        transaction.endOtherSessions(of: &account, except: nil)
        account.forgetDevices(except: context.request.context.device)
        transaction.consume(code)
        transaction.revokeUnfinished(of: old.id)
        transaction.update(old, to: &account, by: .unauthenticated)
        transaction.event(.sessionsRevoked, account.id, by: .unauthenticated)
        // An address that it only displays may be another account's.
        return account.reservesEmail && account.isEmailVerified(under: context.policy) ? account.email : nil
    }
}

extension Account {
    /// Removes the address if the change set it.
    fileprivate mutating func dropEmail(setBy change: Store.ReversibleChange, _ context: DecisionContext) {
        guard let set = change.email else { return }
        // The person who set the address does not get it back either, if they left it since. What was verified
        // before the address that was notified is the right of an earlier owner.
        let isEarlier = firstProof(of: set).map { $0 < change.ownedBefore ?? .distantPast } ?? false
        if !isEarlier { reservations.removeAll { $0.email == set } }
        if email != set || isEarlier && hasProof(of: set, under: context.policy) { return }
        // The person who set the address may know the password, which another address would bring back.
        suspendMethods(for: .ownerReportsChange, at: context.now, where: \.kind.isOfAddress)
        dropEmail(at: context.now)
    }

    /// Suspends what a change added, as far as it is still there.
    ///
    /// A factor is spared if it was enrolled for as long as a recovery from lost factors must wait: the mailbox alone
    /// does not remove it.
    fileprivate mutating func suspend(
        _ change: Store.ReversibleChange,
        since noticed: Timestamp,
        _ context: DecisionContext
    ) {
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
}
