/// Seniority: to remove or replace something older than their own login, a person must wait or present an older method.
extension ActingSession {
    /// The method presented last, if the account still has it.
    var method: SignInMethod? { account.methods.first { $0.generation == session.basis.generation } }

    /// From when the age of the login counts: the age of the method presented last, not of the session's first method.
    var seniorSince: Timestamp {
        if let presentedSince { return presentedSince }
        return method?.seniorSince ?? session.loginAt
    }

    /// The ages of the address and of the methods that depend on it.
    func addressAges(_ context: DecisionContext) -> [Timestamp] {
        guard let email = account.email else { return [] }
        let proofs = account.evidence.filter {
            $0.subject == .email(email) && $0.isFresh
                && ($0.source.verifies(from: .authoritative) || $0.counts(under: context.policy))
        }
        let keyed = account.methods.filter(\.kind.isOfAddress)
        return proofs.map(\.firstAt) + keyed.map(\.seniorSince)
    }

    /// The ages of all methods and factors of the account.
    func allAges(_ context: DecisionContext) -> [Timestamp] {
        addressAges(context) + account.methods.map(\.seniorSince) + account.factors.map(\.enrolledAt)
    }

    /// When the method presented last was set, whatever age was passed on to it.
    var methodSetAt: Timestamp { method?.setAt ?? session.loginAt }

    /// Refuses to change things of these ages unless the login is at least as old, or old enough for the policy.
    func requireSeniority(
        since: Timestamp? = nil,
        over ages: some Sequence<Timestamp>,
        _ context: DecisionContext
    ) throws(Refusal) {
        // Without a method that can be used, the account has no age to compare.
        if account.lacksMethods || account.isOnlyOfServer { return }
        if !context.isSenior(since ?? seniorSince, than: ages.min()) { throw .loginNotSenior }
    }
}
