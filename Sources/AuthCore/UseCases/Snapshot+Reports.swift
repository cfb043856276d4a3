extension Snapshot {
    /// Whether a notice can still report that the method was added to an older account, which removing that would end.
    func canReport(_ method: SignInMethod, of account: Account, _ context: DecisionContext) -> Bool {
        if context.policy.seniority == nil || method.setAt <= account.oldestDateEver { return false }
        return canReport(account, context) { $0.methods.contains(method.generation) }
    }

    /// Whether a notice can still report that the account's address was set.
    func canReportEmail(of account: Account, _ context: DecisionContext) -> Bool {
        canReport(account, context) { $0.email != nil && $0.email == account.email }
    }

    private func canReport(
        _ account: Account,
        _ context: DecisionContext,
        _ isMeant: (Store.ReversibleChange) -> Bool
    ) -> Bool {
        records(of: .account(account.id), .changeReport).contains { record in
            guard record.isLive(at: context.now), case .changeReport(let change) = record.content else { return false }
            return isMeant(change) && account.isNotified(at: change.notifiedAddress, under: context.policy)
        }
    }
}

extension Account {
    /// When the oldest method, factor or evidence was added, also of what is gone since: a planted method may have
    /// removed what is older, and evidence stays.
    var oldestDateEver: Timestamp { oldestDate.map { evidence.map(\.firstAt).reduce($0, min) } ?? .distantFuture }

    /// Whether the address that a notice was sent to is still one at which the account's owner is notified.
    func isNotified(at address: EmailAddress?, under policy: AuthPolicy) -> Bool {
        address.map { noticeAddresses(verifiedFrom: policy.minimumAssurance).contains($0) } ?? true
    }
}
