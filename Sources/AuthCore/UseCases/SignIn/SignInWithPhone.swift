/// Signs in with a code that was sent to a number: to the number's account, or to a new one.
struct SignInWithPhone {
    let proof: PhoneProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var owner: OwnerStatus
        /// Whether the number is suspended until its owner confirms it.
        var isSuspended: Bool
        /// Whether the number was verified too long ago for an account with another verified method.
        var isProofOld: Bool
        var factor: FactorStatus
        var phoneWithFactors: AuthPolicy.PhoneWithFactors
    }

    enum Finding: Sendable, Hashable {
        case create
        case signIn
        case challenge
        case conflict
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        switch facts.owner {
        case .none: return .create
        case .disabled: throw .accountDisabled
        case .open: break
        }
        // The number's current owner must not be kept out by an account that may no longer use the number.
        if facts.isProofOld { return .conflict }
        if facts.isSuspended { throw .methodSuspended }
        if facts.factor != .none && facts.phoneWithFactors == .refused {
            throw .phoneIsNoFirstFactor
        }
        return facts.factor == .owed ? .challenge : .signIn
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let owner = seen.owner(of: .phone(proof.number))
        let facts = Facts(
            owner: OwnerStatus(owner),
            isSuspended: owner?.phoneMethod.map { !$0.isActive } ?? false,
            isProofOld: owner?.hasOldPhoneProof(at: context.now, under: context.policy) ?? false,
            factor: owner?.factorStatus(shown: factor) ?? .none,
            phoneWithFactors: context.policy.phoneWithFactors
        )
        switch (try Self.rule(facts), owner) {
        case (.create, _):
            transaction.reasons.append(.numberIsFree)
            var account = context.newAccount
            let method = account.add(.phone(proof.number), at: context.now)
            account.note(.phone(proof.number), .phoneCode, at: context.now)
            transaction.consume(proof.record)
            let authentication = Authentication(Session.Basis(method), verified: .phone(proof.number))
            return transaction.signIn(to: &account, from: nil, authentication: authentication)
        case (.conflict, _):
            throw transaction.phoneConflict(
                .accountExistsWithDifferentCredential,
                .numberProofIsOld,
                over: proof,
                in: seen
            )
        case (.challenge, let owner?):
            throw transaction.challenge(owner, for: .signIn, over: .phone(proof))
        case (.signIn, let owner?):
            transaction.reasons.append(.numberIsKnown)
            var account = owner
            let method = account.setPhone(proof.number, at: context.now)
            account.note(.phone(proof.number), .phoneCode, at: context.now)
            transaction.consume(proof.record)
            let authentication = Authentication(Session.Basis(method), factor: factor, verified: .phone(proof.number))
            return transaction.signIn(to: &account, from: owner, authentication: authentication)
        case (_, nil): throw .contradiction
        }
    }
}
