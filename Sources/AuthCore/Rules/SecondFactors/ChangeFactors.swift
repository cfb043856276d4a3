/// Removes or renames a second factor, or sets the recovery codes.
struct ChangeFactors: ActingOperation {
    typealias Outcome = SignedIn

    var sensitivity: SensitiveOperation? { .changeFactors }

    enum Change: Sendable, Hashable {
        case remove(FactorID)
        case rename(FactorID, String?)
        case setRecoveryCodes([RecoveryCode])
    }

    let handle: ActingHandle
    let change: Change

    init(handle: ActingHandle, change: Change) {
        self.handle = handle
        self.change = change
    }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        _ context: DecisionContext
    ) -> Decision<SignedIn> {
        if context.policy.factorChangeNeedsFactor,
            acting.account.factorStanding(in: acting.session, shown: nil) == .owed
        {
            return refuse(Refusal(.requiresRecentLogin, .secondFactorIsOwed), context)
        }
        var transaction = Transaction(context)
        transaction.reasons.append(.personChangesFactors)
        var account = acting.account
        var session = acting.session
        switch change {
        case .remove(let id):
            guard let factor = account.factors.first(where: { $0.id == id }) else { return refuseUnknown(context) }
            if let refusal = acting.seniorityRefusal(for: [factor.enrolledAt], context) {
                return refuse(refusal, context)
            }
            account.factors.removeAll { $0.id == id }
            if session.factor?.factor == id { session.factor = nil }
            if account.factors.isEmpty { account.recoveryCodes = [] }
        case .rename(let id, let name):
            guard let index = account.factors.firstIndex(where: { $0.id == id }) else {
                return refuseUnknown(context)
            }
            account.factors[index].displayName = name
        case .setRecoveryCodes(let codes):
            if account.activeFactors.isEmpty { return refuseUnknown(context) }
            account.recoveryCodes = codes
        }
        transaction.update(acting.account, to: &account, by: .session(acting.session.id))
        transaction.put(session, over: acting.session)
        return transaction.granted(
            SignedIn(
                account: account,
                session: session,
                isNewUser: false,
                lastSignIn: snapshot.lastSignIn(of: account.id)
            )
        )
    }

    private func refuseUnknown(_ context: DecisionContext) -> Decision<SignedIn> {
        refuse(Refusal(.multiFactorInfoNotFound, .factorIsUnknown), context)
    }
}
