/// Links a number to the account of the acting session, or renews the proof of the one it has.
struct LinkPhone {
    let proof: PhoneProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var isNumberOfAnother: Bool
        /// Whether the number is a second factor of the account, and the policy requires another for signing in.
        var isFactorNumber: Bool
        var factor: FactorStatus
        var phoneWithFactors: AuthPolicy.PhoneWithFactors
    }

    enum Finding: Sendable, Hashable {
        case link
        case challenge
        case conflict(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if facts.isNumberOfAnother { return .conflict(.credentialAlreadyInUse, .numberIsOwned) }
        if facts.isFactorNumber { throw .factorEnrolled }
        if facts.factor != .none && facts.phoneWithFactors == .refused {
            throw .phoneIsNoFirstFactor
        }
        return facts.factor == .owed ? .challenge : .link
    }

    /// Links it to an account and a session that the transaction may have created or changed.
    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let facts = Facts(
            isNumberOfAnother: acting.seen.owner(of: .phone(proof.number)).map { $0.id != acting.account.id } ?? false,
            isFactorNumber: context.policy.factorChangeNeedsFactor
                && acting.account.factors.contains { $0.phoneNumber == proof.number },
            factor: acting.account.factorStatus(in: acting.session, shown: factor),
            phoneWithFactors: context.policy.phoneWithFactors
        )
        switch try Self.rule(facts) {
        case .conflict(let code, let reason):
            throw transaction.phoneConflict(code, reason, over: proof, in: acting.seen)
        case .challenge:
            throw transaction.challenge(acting, linking: .phone(proof))
        case .link:
            transaction.reasons.append(.personAddsMethod)
            var account = acting.account
            let method = account.confirm(account.setPhone(proof.number, at: context.now), at: context.now)
            account.note(.phone(proof.number), .phoneCode, at: context.now)
            return transaction.link(
                method,
                by: .phone(proof),
                to: &account,
                of: acting,
                factor,
                verified: .phone(proof.number)
            )
        }
    }
}
