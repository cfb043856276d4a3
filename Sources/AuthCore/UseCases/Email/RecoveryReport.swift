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
            let methods = new.methodSummaries
            usable = methods.filter { !$0.isSuspended }
            suspended = methods.filter(\.isSuspended)
            removed = old.methodSummaries.filter { old in
                !methods.contains { $0.kind == old.kind && $0.identity == old.identity }
            }
            self.device = device
            email = new.email
        }
    }
}
