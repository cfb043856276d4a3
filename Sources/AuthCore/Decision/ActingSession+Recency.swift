extension ActingSession {
    /// Refuses an operation for which the policy asks a more recent login, or a factor.
    func requireRecency(for operation: AuthPolicy.SensitiveOperation?, _ context: DecisionContext) throws(Refusal) {
        let policy = context.policy
        guard let operation, policy.recency.operations.contains(operation) else { return }
        // A guest has nothing to log in with; the living session is all that it can show.
        if account.isAnonymous { return }
        // Where only the app's own server signs in, a token that states no time counts as a login at the time it was
        // presented.
        let beginsRecently = account.isOnlyOfServer && context.isRecent(session.createdAt)
        if !beginsRecently, !context.isRecent(session.authenticatedAt) { throw .loginNotRecent }
        // A link asks for the factor itself, when it comes to it.
        if policy.recencyNeedsFactor, operation != .link, factorStatus == .required { throw .factorNotPresented }
    }
}
