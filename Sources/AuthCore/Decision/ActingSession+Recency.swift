/// Whether a session may do what a policy calls sensitive.
enum SensitivityGate {
    struct Facts: Sendable, Hashable {
        /// Whether the account has a way to log in at all.
        var hasMethods: Bool
        var isLoginRecent: Bool
        /// Whether a link asks for the factor itself, when it comes to it.
        var isLink: Bool
        var factor: FactorStatus
        var recencyNeedsFactor: Bool
    }

    static func rule(_ facts: Facts) throws(Refusal) {
        // An account that nothing signs in to has nothing to log in with; its living session is all it can show.
        if !facts.hasMethods { return }
        if !facts.isLoginRecent { throw .loginNotRecent }
        if facts.recencyNeedsFactor && !facts.isLink && facts.factor == .owed {
            throw .factorNotShown
        }
    }
}

extension ActingSession {
    /// Refuses an operation for which the policy asks a more recent login, or a factor.
    func requireRecency(for operation: AuthPolicy.SensitiveOperation?, _ context: DecisionContext) throws(Refusal) {
        let policy = context.policy
        guard let operation, policy.recency.operations.contains(operation) else { return }
        // Where only the app's own server signs in, its token is a login of when it was presented, if it states no time.
        let login =
            account.methods.isEmpty ? max(session.createdAt, session.authenticatedAt) : session.authenticatedAt
        try SensitivityGate.rule(
            SensitivityGate.Facts(
                hasMethods: account.canBeSignedInTo,
                isLoginRecent: context.now - login <= policy.recency.interval,
                isLink: operation == .link,
                factor: account.factorStatus(in: session, shown: nil),
                recencyNeedsFactor: policy.recencyNeedsFactor
            )
        )
    }
}
