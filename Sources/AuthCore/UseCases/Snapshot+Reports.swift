extension Snapshot {
    /// Whether a notice can still report that the method was added to an older account, which removing that would end.
    func canReport(_ method: SignInMethod, of account: Account, at now: Timestamp) -> Bool {
        guard let oldest = account.oldestDate, method.setAt > oldest else { return false }
        return records(of: .account(account.id), .changeReport).contains { record in
            guard record.isLive(at: now), case .changeReport(let change) = record.content else { return false }
            return change.methods.contains(method.generation)
        }
    }
}
