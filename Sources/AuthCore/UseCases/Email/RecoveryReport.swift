/// What a recovery did to the sign-in methods of an account, for its owner to review.
public struct RecoveryReport: Sendable, Hashable {
    /// The account.
    public let account: AccountID
    /// The methods that can sign in now.
    public let usable: [MethodSummary]
    /// The methods that are suspended until the owner signs in and links them again.
    public let suspended: [MethodSummary]
    /// The methods that were removed.
    public let removed: [MethodSummary]

    /// The device with its new secret, to keep in a cookie or a keychain; nil if the client has none.
    public let device: DeviceID?

    /// The address whose mailbox recovered the account.
    let email: EmailAddress?

    init(from old: Account, to new: Account, device: DeviceID?) {
        self.device = device
        email = new.email
        account = new.id
        usable = new.methods.filter(\.isActive).map(MethodSummary.init)
        suspended = new.methods.filter { !$0.isActive }.map(MethodSummary.init)
        removed = old.methods.filter { method in !new.methods.contains { $0.isSameKindOfMethod(as: method) } }
            .map(MethodSummary.init)
    }
}

extension SignInMethod {
    fileprivate func isSameKindOfMethod(as other: SignInMethod) -> Bool {
        identity?.key == other.identity?.key && kind.methodKind == other.kind.methodKind
    }
}
