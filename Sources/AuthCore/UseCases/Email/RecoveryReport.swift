/// What a recovery made of the ways into an account, for its person to look through.
public struct RecoveryReport: Sendable, Hashable {
    /// The account.
    public let account: AccountID
    /// What opens the account now.
    public let usable: [MethodSummary]
    /// What was suspended, until its owner signs in and links it again.
    public let suspended: [MethodSummary]
    /// What was removed.
    public let removed: [MethodSummary]

    init(from old: Account, to new: Account) {
        account = new.id
        usable = new.methods.filter(\.isActive).map(MethodSummary.init)
        suspended = new.methods.filter { !$0.isActive }.map(MethodSummary.init)
        removed = old.methods.filter { method in !new.methods.contains { $0.isSameKindOfWay(as: method) } }
            .map(MethodSummary.init)
    }
}

extension SignInMethod {
    fileprivate func isSameKindOfWay(as other: SignInMethod) -> Bool {
        identity?.key == other.identity?.key && kind.methodKind == other.kind.methodKind
    }
}
