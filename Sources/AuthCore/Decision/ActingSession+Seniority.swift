/// Whether a login is senior enough to touch something older.
enum SeniorityGate {
    struct Facts: Sendable, Hashable {
        /// Whether the policy asks for seniority at all.
        var isAsked: Bool
        /// Whether there is anything to touch, and a method that the login could be as old as.
        var isApplicable: Bool
        var isAsOld: Bool
        /// Whether the login has been on the account for as long as the policy wants.
        var isSettled: Bool
    }

    static func rule(_ facts: Facts) throws(Refusal) {
        if !facts.isAsked || !facts.isApplicable || facts.isAsOld || facts.isSettled { return }
        throw .loginNotSenior
    }
}

/// Seniority: who removes or replaces something older than their own login has to wait, or show something older.
extension ActingSession {
    /// From when the age of the login counts: that of the method that was shown last, whatever the session began with.
    var seniorSince: Timestamp {
        if let shownSince { return shownSince }
        let shown = account.methods.first { $0.generation == session.basis.generation }
        return shown?.seniorSince ?? session.authenticatedAt
    }

    /// The ages of the address and of what hangs on it.
    var addressAges: [Timestamp] {
        guard let email = account.email else { return [] }
        let proofs = account.evidence.filter { $0.subject == .email(email) && $0.isFresh && $0.source.isProof }
        let keyed = account.methods.filter { $0.kind.methodKind == .password || $0.kind.methodKind == .emailLink }
        return proofs.map(\.firstAt) + keyed.map(\.seniorSince)
    }

    /// The ages of everything that opens the account.
    var allAges: [Timestamp] { account.methods.map(\.seniorSince) + account.factors.map(\.enrolledAt) }

    /// Refuses to touch things of these ages, unless the login is at least as old, or old enough.
    func requireSeniority(over ages: some Sequence<Timestamp>, _ context: DecisionContext) throws(Refusal) {
        guard let enough = context.policy.seniority, let oldest = ages.min() else { return }
        let since = seniorSince
        try SeniorityGate.rule(
            SeniorityGate.Facts(
                isAsked: true,
                isApplicable: !account.methods.isEmpty,
                isAsOld: since <= oldest,
                isSettled: context.now - since >= enough
            )
        )
    }
}
