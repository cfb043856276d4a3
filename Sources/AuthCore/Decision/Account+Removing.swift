/// Removing methods from an account.
extension Account {
    /// The account without the methods of a provider.
    func without(_ provider: ProviderID) -> Account {
        var kept: [SignInMethod] = []
        kept.reserveCapacity(methods.count)
        for method in methods where method.kind.provider != provider { kept.append(method) }
        var account = self
        account.methods = kept
        return account
    }

    /// Blocks auto-linking for the issuers of these removed identities.
    mutating func blockAutoLinking(_ removed: some Sequence<SignInMethod>) {
        for method in removed {
            guard let issuer = method.identity?.key.issuer, !blockedIssuers.contains(issuer) else { continue }
            blockedIssuers.append(issuer)
        }
    }

    /// The account without a provider's methods and without everything that depends on them.
    func unlinked(_ provider: ProviderID, _ context: DecisionContext) -> Account {
        var account = without(provider)
        if context.policy.blocksRemovedIssuers {
            account.blockAutoLinking(methods.lazy.filter { $0.kind.provider == provider })
        }
        if provider == .password, let email, !identities.contains(where: { $0.email == email }) {
            account.dropEmail(at: context.now)
        }
        return account
    }
}
