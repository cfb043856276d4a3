/// Signs in with a code that was sent to a number: to the number's account, or to a new one.
struct SignInWithPhone: DecidingOperation {
    typealias Outcome = SignedIn

    let proof: PhoneProof
    var factor: FactorProof?

    init(proof: PhoneProof, factor: FactorProof? = nil) {
        self.proof = proof
        self.factor = factor
    }

    func lookups(_ request: Request) -> Lookups { [.owner(.phone(proof.number)), .record(proof.capability)] }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var owner: OwnerStanding
        /// Whether the number is suspended until its owner confirms it.
        var isSuspended: Bool
        /// Whether the number was proved too long ago for an account with another proven method.
        var isProofOld: Bool
        var factor: FactorStanding
        var phoneWithFactors: AuthPolicy.PhoneWithFactors
    }

    enum Finding: Sendable, Hashable {
        case create
        case signIn
        case challenge
        case conflict
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.phoneRefusal { return .refuse(refusal.code, refusal.reason) }
        switch facts.owner {
        case .none: return .create
        case .disabled: return .refuse(.userDisabled, .accountIsDisabled)
        case .open: break
        }
        // Whoever has the number by now must not be kept out by an account that may not even use it.
        if facts.isSuspended && !facts.isProofOld { return .refuse(.rejectedCredential, .methodIsSuspended) }
        if facts.factor != .none && facts.phoneWithFactors == .refused {
            return .refuse(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere)
        }
        if facts.isProofOld { return .conflict }
        return facts.factor == .owed ? .challenge : .signIn
    }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = context.policy.refusal(of: .phone) { return refuse(refusal, context) }
        let owner = snapshot.owner(of: .phone(proof.number))
        let facts = Facts(
            code: snapshot.phoneCodeStanding(proof, context),
            owner: OwnerStanding(owner),
            isSuspended: owner?.phoneMethod.map { !$0.isActive } ?? false,
            isProofOld: owner?.hasOldPhoneProof(at: context.now, under: context.policy) ?? false,
            factor: owner?.factorStanding(shown: factor) ?? .none,
            phoneWithFactors: context.policy.phoneWithFactors
        )
        var transaction = Transaction(context)
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), context)
        case .create:
            transaction.reasons.append(.numberIsFree)
            var account = Account(id: AccountID(bits: context.fresh.account), createdAt: context.now)
            let method = account.add(.phone(proof.number), at: context.now)
            account.note(.phone(proof.number), .phoneCode, at: context.now)
            transaction.changes.capabilities.append(.consume(proof.capability))
            let showing = Showing(SessionBasis(method), proved: .phone(proof.number))
            return transaction.granted(transaction.signIn(to: &account, from: nil, showing: showing))
        case .conflict:
            return transaction.refused(
                transaction.phoneConflict(
                    .accountExistsWithDifferentCredential,
                    .numberProofIsOld,
                    over: proof,
                    in: snapshot
                )
            )
        case .challenge:
            let owner = try owner.promised()
            let stored = StoredProof.phone(proof.number, proof.capability)
            return transaction.refused(transaction.challenge(owner, for: .signIn, proof: stored, generation: nil))
        case .signIn:
            let owner = try owner.promised()
            let method = try owner.phoneMethod.promised()
            transaction.reasons.append(.numberIsKnown)
            var account = owner
            account.note(.phone(proof.number), .phoneCode, at: context.now)
            transaction.changes.capabilities.append(.consume(proof.capability))
            let showing = Showing(SessionBasis(method), factor: factor, proved: .phone(proof.number))
            return transaction.granted(transaction.signIn(to: &account, from: owner, showing: showing))
        }
    }
}

extension Account {
    /// Whether the number's last proof is older than the policy allows where there is another proven method.
    func hasOldPhoneProof(at now: Timestamp, under policy: AuthPolicy) -> Bool {
        guard let lifetime = policy.phoneProofLifetime, let phoneNumber else { return false }
        let hasOther = methods.contains { method in
            guard method.isActive else { return false }
            return switch method.kind {
            case .federated: true
            case .password, .emailLink: isEmailVerified(under: policy)
            case .phone: false
            }
        }
        let last = evidence.filter { $0.subject == .phone(phoneNumber) && $0.isFresh }.map(\.lastAt).max()
        return hasOther && last.map { now - $0 > lifetime } ?? true
    }
}
