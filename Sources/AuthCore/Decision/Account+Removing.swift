/// Removing methods from an account.
extension Account {
    /// Removes the methods of a provider.
    mutating func remove(_ provider: ProviderID) { methods.removeAll { $0.kind.provider == provider } }

    /// Blocks auto-linking for the issuers of these removed identities, if the policy says so.
    mutating func blockAutoLinking(_ removed: [SignInMethod], _ context: DecisionContext) {
        if !context.policy.blocksRemovedIssuers { return }
        for method in removed {
            guard let issuer = method.identity?.key.issuer, !blockedIssuers.contains(issuer) else { continue }
            blockedIssuers.append(issuer)
        }
    }

    /// Removes the methods of a provider, and blocks auto-linking for the issuers of its identities if the policy says
    /// so.
    mutating func removeAndBlock(_ provider: ProviderID, _ context: DecisionContext) {
        let removed = methods.filter { $0.kind.provider == provider }
        // Removing none would copy all.
        if removed.isEmpty { return }
        blockAutoLinking(removed, context)
        remove(provider)
    }

    /// Removes a provider's methods and everything that depends on them.
    mutating func unlink(_ provider: ProviderID, _ context: DecisionContext) {
        removeAndBlock(provider, context)
        if provider == .password, let email,
            !identities.contains(where: { context.keyRule.isSameMailbox($0.email, email) })
        {
            dropEmail(at: context.now)
        }
    }
}
