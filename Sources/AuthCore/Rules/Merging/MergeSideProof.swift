/// One side of a merge: what stands for it, and the account that this seemed to open when it was looked up.
enum MergeParty: Sendable {
    /// A proof made in this attempt, with the factor that was shown after it.
    case proof(Proof, factor: FactorProof?, provedAt: Timestamp, account: AccountID?)
    /// The live session of an account that has nothing else.
    case session(ActingHandle)

    /// The account that the side seemed to open.
    var account: AccountID? {
        switch self {
        case .proof(_, _, _, let account): account
        case .session(let handle): handle.account
        }
    }

    /// What must be seen of the side.
    var lookups: Lookups {
        switch self {
        case .session(let handle):
            return handle.lookups
        case .proof(let proof, _, _, let account):
            var lookups = Lookups()
            if let account { lookups.insert(.account(account)) }
            for key in proof.capabilities { lookups.insert(.record(key)) }
            return lookups
        }
    }

    /// The one-time things of the factor, without which there is nothing to decide.
    var requires: [CapabilityKey] {
        guard case .proof(_, let factor?, _, _) = self else { return [] }
        return factor.consumes
    }

    /// Whether a session stands for the side.
    var isSession: Bool {
        guard case .session = self else { return false }
        return true
    }

    /// Uses up what the proof rests on.
    func spend(_ transaction: inout Transaction) {
        guard case .proof(let proof, _, _, _) = self else { return }
        proof.spend(transaction.context, &transaction)
    }
}

extension MergeParty {
    /// The proved side; throws why it does not stand, with the challenge of a factor that is owed.
    func side(
        _ role: MergeRole,
        of account: Account?,
        age: (Method?) -> MethodAge,
        in seen: Snapshot,
        _ transaction: Transaction
    ) throws(Refusal) -> ProvedSide {
        let opening = Result { () throws(Refusal) in try open(account, in: seen, transaction.context) }
        switch try MergeSideFacts.rule(facts(opening, age: age, transaction.context)) {
        case .accept, .refuseCredential:
            return try opening.get()
        case .challenge:
            let side = try opening.get()
            guard case .proof(let proof, _, _, _) = self, let stored = proof.stored(for: side.account) else {
                throw .contradiction
            }
            let owed = transaction.challenge(
                side.account,
                for: .merge,
                proof: stored,
                generation: side.method?.generation
            )
            throw Refusal(owed.code, role.owesFactor, detail: owed.detail, writing: owed.writes)
        }
    }

    private func facts(
        _ opening: Result<ProvedSide, Refusal>,
        age: (Method?) -> MethodAge,
        _ context: DecisionContext
    ) -> MergeSideFacts {
        var facts = MergeSideFacts(
            credential: .refused,
            isDisabled: false,
            isRecent: true,
            factor: .none,
            isSenior: true
        )
        guard case .success(let side) = opening else { return facts }
        facts.isDisabled = side.account.isDisabled
        guard case .proof(let proof, let factor, let provedAt, _) = self else {
            facts.credential = .session
            return facts
        }
        let moment = proof.moment(provedAt, under: context.policy)
        facts.credential = .opens
        facts.isRecent = context.now - moment <= context.policy.recency.interval
        facts.factor = side.account.factorStanding(shown: factor)
        let age = age(side.method)
        facts.isSenior = isSenior(age.since ?? moment, than: age.oldest, context)
        return facts
    }

    private func isSenior(_ since: Timestamp, than oldest: Timestamp?, _ context: DecisionContext) -> Bool {
        guard let enough = context.policy.seniority, let oldest else { return true }
        return since <= oldest || context.now - since >= enough
    }

    /// What the side opens today; throws why it opens nothing.
    private func open(
        _ account: Account?,
        in seen: Snapshot,
        _ context: DecisionContext
    ) throws(Refusal) -> ProvedSide {
        switch self {
        case .session(let handle):
            let standing = handle.standing(in: seen, context)
            if standing != .disabled, let refusal = standing.refusal { throw refusal }
            guard let account, account.id == handle.account, account.isAnonymous, account.methods.isEmpty,
                !account.acceptsCustomTokens
            else { throw Refusal(.requiresRecentLogin, .sessionIsNoProof) }
            return ProvedSide(account: account, method: nil, basis: .anonymous, subject: nil, factor: nil)
        case .proof(let proof, let factor, _, _):
            if let refusal = context.policy.refusal(of: proof.provider) { throw refusal }
            if let refusal = proof.refusal(for: account, in: seen, context) { throw refusal }
            guard let account, let basis = proof.basis(in: account) else {
                throw .opensNothing(under: context.policy)
            }
            return ProvedSide(
                account: account,
                method: account.methods.first { $0.generation == basis.generation },
                basis: basis,
                subject: proof.provedSubject(under: context.policy),
                factor: factor
            )
        }
    }
}

extension Refusal {
    /// The refusal of what opens no account; where strangers learn nothing it looks like a wrong one.
    fileprivate static func opensNothing(under policy: AuthPolicy) -> Refusal {
        Refusal(policy.disclosure == .uniform ? .invalidCredential : .userNotFound, .credentialOpensNothing)
    }
}

extension Proof {
    /// The one-time things that the proof rests on.
    fileprivate var capabilities: [CapabilityKey] {
        switch self {
        case .mailbox(let proof): [proof.capability]
        case .phone(let proof): [proof.capability]
        case .federated(let proof): proof.capabilities
        case .password, .customToken, .anonymous: []
        }
    }

    /// When the person proved who they are; the word of the app's server counts as far as the policy says.
    fileprivate func moment(_ provedAt: Timestamp, under policy: AuthPolicy) -> Timestamp {
        guard case .customToken(let proof) = self, !policy.customTokensAreRecent else { return provedAt }
        return proof.authenticatedAt ?? .distantPast
    }

    /// Why the proof itself does not hold for the account; nil while it does.
    fileprivate func refusal(for account: Account?, in seen: Snapshot, _ context: DecisionContext) -> Refusal? {
        switch self {
        case .password(let proof):
            switch PasswordStanding(proof, of: account) {
            case .matches: return nil
            case .mustWait: return .attemptsMustWait
            case .missing, .differs, .replaced:
                let code: AuthErrorCode = context.policy.disclosure == .uniform ? .invalidCredential : .wrongPassword
                return Refusal(code, .credentialIsWrong)
            }
        case .mailbox(let proof): return seen.signInLinkStanding(proof, context).refusal
        case .phone(let proof):
            if let refusal = seen.phoneCodeStanding(proof, context).phoneRefusal { return refusal }
            guard let account else { return nil }
            if !account.factors.isEmpty, context.policy.phoneWithFactors == .refused {
                return .phoneIsNoFirstFactor
            }
            let isOld = account.hasOldPhoneProof(at: context.now, under: context.policy)
            return isOld ? .numberProofOld : nil
        case .federated(let proof): return proof.refusal(in: seen, context)
        case .customToken, .anonymous: return nil
        }
    }

    /// What a session would rest on that this opens on the account; nil if it opens nothing there.
    fileprivate func basis(in account: Account) -> SessionBasis? {
        let method: Method?
        switch self {
        case .password: method = account.passwordMethod
        case .mailbox(let proof): method = account.email == proof.email ? account.emailLinkMethod : nil
        case .phone(let proof): method = account.phoneNumber == proof.number ? account.phoneMethod : nil
        case .federated(let proof): method = account.method(for: proof.identity.key)
        case .customToken(let proof):
            return proof.account == account.id && account.acceptsCustomTokens ? .customToken : nil
        case .anonymous: method = nil
        }
        guard let method, method.isActive else { return nil }
        return SessionBasis(method)
    }
}
