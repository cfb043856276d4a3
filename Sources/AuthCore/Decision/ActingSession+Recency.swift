extension ActingSession {
    /// Refuses an operation for which the policy asks a more recent login, or a factor.
    func requireRecency(for operation: AuthPolicy.SensitiveOperation?, _ context: DecisionContext) throws(Refusal) {
        let policy = context.policy
        guard let operation, policy.recency.operations.contains(operation) else { return }
        // An account that nothing signs in to has nothing to log in with; its living session is all it can show.
        if !account.canBeSignedInTo { return }
        // Where only the app's own server signs in, a token that states no time counts as a login at the time it was
        // presented.
        let login = account.methods.isEmpty ? session.loginAt : session.authenticatedAt
        if context.now - login > policy.recency.interval { throw .loginNotRecent }
        // A link asks for the factor itself, when it comes to it.
        if policy.recencyNeedsFactor, operation != .link, factorStatus == .owed { throw .factorNotShown }
    }
}
