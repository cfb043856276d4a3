/// Removes or renames a second factor, or sets the recovery codes.
struct ChangeFactors: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeFactors }

    enum Change: Sendable, Hashable {
        case remove(SecondFactor.ID)
        case rename(SecondFactor.ID, String?)
        case setRecoveryCodes([SecondFactor.RecoveryCode])
    }

    let handle: ActingHandle
    let change: Change

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if context.policy.factorChangeNeedsFactor, acting.factorStatus == .required { throw .factorNotPresented }
        transaction.reasons.append(.personChangesFactors)
        var account = acting.account
        var session = acting.session
        switch change {
        case .remove(let id):
            guard let factor = account.factors.first(where: { $0.id == id }) else { throw .factorUnknown }
            try acting.requireSeniority(over: [factor.enrolledAt], context)
            account.factors.removeAll { $0.id == id }
            if session.factor?.factor == id { session.factor = nil }
            if account.factors.isEmpty { account.recoveryCodes = [] }
        case .rename(let id, let name):
            guard let index = account.factors.firstIndex(where: { $0.id == id }) else { throw .factorUnknown }
            account.factors[index].displayName = name
        case .setRecoveryCodes(let codes):
            if account.activeFactors.isEmpty { throw .factorUnknown }
            // The codes stand for the factors, and are replaced as those are.
            if !account.recoveryCodes.isEmpty {
                try acting.requireSeniority(over: account.activeFactors.map(\.enrolledAt), context)
            }
            account.recoveryCodes = codes
        }
        return transaction.write(&account, session, of: acting)
    }
}
