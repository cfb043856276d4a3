extension FederatedProof {
    /// A new account for an identity that no account has, with its first method.
    func newAccount(_ address: NewAccountAddress, _ context: DecisionContext) -> (Account, SignInMethod) {
        var account = context.newAccount
        account.displayName = identity.displayName
        account.photoURL = identity.photoURL
        if address != .notKept {
            account.email = identity.email
            account.reservesEmail = address == .reserved
            account.recordAssurance(of: identity, at: context.now)
        } else if context.policy.sendsNotices, verifiedSubject(under: context.policy) != nil {
            account.recordAssurance(of: identity, at: context.now)
        }
        let method = account.add(.federated(identity), at: context.now)
        return (account, method)
    }
}

/// How the address of a new account is kept.
enum NewAccountAddress: Sendable, Hashable, CaseIterable {
    /// Not as the account's; one that the provider verifies gets notices.
    case notKept
    /// Displayed only; another account may own it.
    case displayed
    /// As the account's own.
    case reserved
}
