extension Snapshot {
    /// Whether a notice can still report that the method was added to an older account, which removing that would end.
    ///
    /// The account may be older than all that is left of it: a planted method may have removed the rest.
    func canReport(_ method: SignInMethod, of account: Account, _ context: DecisionContext) -> Bool {
        if context.policy.seniority == nil || method.setAt <= account.oldestDateEver ?? .distantFuture { return false }
        return canReport(account, at: context.now) { $0.methods.contains(method.generation) }
    }

    /// Whether a notice can still report that the account's address was set.
    func canReportEmail(of account: Account, at now: Timestamp) -> Bool {
        canReport(account, at: now) { $0.email != nil && $0.email == account.email }
    }

    private func canReport(_ account: Account, at now: Timestamp, _ isMeant: (Store.ReversibleChange) -> Bool) -> Bool {
        records(of: .account(account.id), .changeReport).contains { record in
            guard record.isLive(at: now), case .changeReport(let change) = record.content else { return false }
            return isMeant(change)
        }
    }
}
