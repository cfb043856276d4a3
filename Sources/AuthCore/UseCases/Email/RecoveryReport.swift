extension ActionCode {
    /// What a recovery did to the sign-in methods of an account, for its owner to review.
    public struct RecoveryReport: Sendable, Hashable {
        /// The account.
        public let account: AccountID
        /// The methods that can sign in now.
        public let usable: [SignInMethod.Summary]
        /// The methods that are suspended until the owner signs in and links them again.
        public let suspended: [SignInMethod.Summary]
        /// The methods that were removed.
        public let removed: [SignInMethod.Summary]
        /// The device with its new secret, to keep in a cookie or a keychain; nil if it has none.
        public let device: DeviceID?
        /// The address whose mailbox recovered the account.
        let email: EmailAddress?

        init(from old: Account, to new: Account, device: DeviceID?) {
            account = new.id
            usable = new.methods.filter(\.isActive).map(SignInMethod.Summary.init)
            suspended = new.methods.filter { !$0.isActive }.map(SignInMethod.Summary.init)
            removed = old.methods.filter { method in !new.methods.contains { $0.isSameKindOfMethod(as: method) } }
                .map(SignInMethod.Summary.init)
            self.device = device
            email = new.email
        }
    }
}

extension SignInMethod {
    fileprivate func isSameKindOfMethod(as other: SignInMethod) -> Bool {
        identity?.key == other.identity?.key && kind.methodKind == other.kind.methodKind
    }
}
