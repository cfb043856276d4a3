/// What stands for one side of a merge.
enum MergeSideProof: Sendable {
    /// A proof made in this attempt, with the factor that was shown after it.
    case proof(Proof, factor: FactorProof?, provedAt: Timestamp)
    /// The live session of an account that has nothing else.
    case session(ActingHandle)
}

/// One side of a merge: what stands for it, and the account that this seemed to open when it was looked up.
struct MergeParty: Sendable {
    let proof: MergeSideProof
    let account: AccountID?

    init(_ proof: MergeSideProof, account: AccountID?) {
        self.proof = proof
        self.account = account
    }

    /// The one-time things that the side rests on.
    var capabilities: [CapabilityKey] {
        switch shown {
        case .mailbox(let proof)?: [proof.capability]
        case .phone(let proof)?: [proof.capability]
        case .federated(let proof)?: proof.capabilities
        case .password?, .customToken?, .anonymous?, nil: []
        }
    }

    /// What was proved; nil for a session.
    private var shown: Proof? {
        guard case .proof(let proof, _, _) = proof else { return nil }
        return proof
    }

    /// What must be seen of the side.
    var lookups: Lookups {
        var lookups = Lookups()
        if let account { lookups.insert(.account(account)) }
        if case .session(let handle) = proof { lookups.insert(contentsOf: handle.lookups) }
        for key in capabilities { lookups.insert(.record(key)) }
        return lookups
    }

    /// The one-time things of the factor, without which there is nothing to decide.
    var requires: [CapabilityKey] { factor?.consumes ?? [] }

    var factor: FactorProof? {
        guard case .proof(_, let factor, _) = proof else { return nil }
        return factor
    }

    var session: SessionID? {
        guard case .session(let handle) = proof else { return nil }
        return handle.session
    }

    /// Uses up what the proof rests on.
    func spend(_ context: DecisionContext, _ transaction: inout Transaction) {
        if let shown { transaction.use(shown) }
    }
}

/// Whether one side of a merge is proved as it has to be.
struct MergeSideFacts: Sendable, Hashable {
    enum Credential: Sendable, Hashable, CaseIterable {
        /// It opens the account today.
        case opens
        /// It is the session of an account that has no method.
        case session
        case refused
    }

    var credential: Credential
    var isDisabled: Bool
    var isRecent: Bool
    var factor: FactorStanding
    var isSenior: Bool

    enum Finding: Sendable, Hashable {
        case accept
        case challenge
        case refuseCredential
        case refuse(AuthErrorCode, Reason)
    }

    /// Whoever owes a factor learns nothing but that.
    static func rule(_ facts: MergeSideFacts) -> Finding {
        if facts.credential == .refused { return .refuseCredential }
        if facts.credential == .opens {
            if !facts.isRecent { return .refuse(.requiresRecentLogin, .loginIsNotRecent) }
            if facts.factor == .owed { return .challenge }
        }
        if facts.isDisabled { return .refuse(.userDisabled, .accountIsDisabled) }
        if facts.credential == .session { return .accept }
        return facts.isSenior ? .accept : .refuse(.requiresRecentLogin, .loginIsNotSenior)
    }
}

/// A side that is proved.
struct ProvedSide: Sendable {
    let account: Account
    /// The method that was shown, if the account has any.
    let method: Method?
    /// What a session may rest on.
    let basis: SessionBasis
    /// The address or number that was proved.
    let subject: Evidence.Subject?
    let factor: FactorProof?
}

/// From when a method's age counts, and that of the oldest thing beside it.
struct MethodAge: Sendable, Hashable {
    let since: Timestamp?
    let oldest: Timestamp?

    init(since: Timestamp?, oldest: Timestamp?) {
        self.since = since
        self.oldest = oldest
    }
}

/// Which account of a merge a side stands for.
enum MergeRole: Sendable, Hashable, CaseIterable {
    case source
    case target

    fileprivate var owesFactor: Reason { self == .source ? .sourceOwesFactor : .targetOwesFactor }
}

extension MergeParty {
    /// The proved side; or the refusal, which may write the challenge of a factor into the transaction.
    func side(
        _ role: MergeRole,
        of account: Account?,
        age: (Method?) -> MethodAge,
        in snapshot: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> Result<ProvedSide, Refusal> {
        let context = transaction.context
        let opening = opening(account, in: snapshot, context)
        var facts = MergeSideFacts(
            credential: .refused,
            isDisabled: account?.isDisabled ?? false,
            isRecent: true,
            factor: .none,
            isSenior: true
        )
        if let account, case .proof(let proof, let factor, let provedAt) = proof, case .success(let opening) = opening {
            let at = proof.moment(provedAt, under: context.policy)
            facts.credential = .opens
            facts.isRecent = context.now - at <= context.policy.recency.interval
            facts.factor = account.factorStanding(shown: factor)
            let age = age(opening.method)
            facts.isSenior = isSenior(age.since ?? at, than: age.oldest, context)
        } else if case .session = proof, case .success = opening {
            facts.credential = .session
        }
        switch MergeSideFacts.rule(facts) {
        case .accept:
            return opening
        case .challenge:
            let side = try opening.get()
            let stored = try shown.promised().stored(for: side.account).promised()
            let owed = transaction.challenge(
                side.account,
                for: .merge,
                proof: stored,
                generation: side.method?.generation
            )
            return .failure(Refusal(owed.code, role.owesFactor, detail: owed.detail, writing: owed.writes))
        case .refuse(let code, let reason):
            return .failure(Refusal(code, reason))
        case .refuseCredential:
            return .failure(try opening.refusal.promised())
        }
    }

    private func isSenior(_ since: Timestamp, than oldest: Timestamp?, _ context: DecisionContext) -> Bool {
        guard let enough = context.policy.seniority, let oldest else { return true }
        return since <= oldest || context.now - since >= enough
    }

    /// What the proof opens today, or why it opens nothing.
    private func opening(
        _ account: Account?,
        in snapshot: Snapshot,
        _ context: DecisionContext
    ) -> Result<ProvedSide, Refusal> {
        switch proof {
        case .session(let handle):
            let standing = handle.standing(in: snapshot, context)
            if standing != .disabled, let refusal = standing.refusal { return .failure(refusal) }
            guard let account, account.id == handle.account, account.isAnonymous, account.methods.isEmpty,
                !account.acceptsCustomTokens
            else { return .failure(Refusal(.requiresRecentLogin, .sessionIsNoProof)) }
            return .success(
                ProvedSide(account: account, method: nil, basis: .anonymous, subject: nil, factor: nil)
            )
        case .proof(let proof, let factor, _):
            if let refusal = context.policy.refusal(of: proof.provider) { return .failure(refusal) }
            if let refusal = proof.refusal(for: account, in: snapshot, context) { return .failure(refusal) }
            guard let account, let basis = proof.basis(in: account) else {
                return .failure(.opensNothing(under: context.policy))
            }
            return .success(
                ProvedSide(
                    account: account,
                    method: account.methods.first { $0.generation == basis.generation },
                    basis: basis,
                    subject: proof.verifiedContact(under: context.policy),
                    factor: factor
                )
            )
        }
    }
}

extension Result<ProvedSide, Refusal> {
    fileprivate var refusal: Refusal? {
        guard case .failure(let refusal) = self else { return nil }
        return refusal
    }
}

extension Refusal {
    /// The refusal of what opens no account; where strangers learn nothing it looks like a wrong one.
    fileprivate static func opensNothing(under policy: AuthPolicy) -> Refusal {
        Refusal(policy.disclosure == .uniform ? .invalidCredential : .userNotFound, .credentialOpensNothing)
    }
}

extension Proof {
    /// When the person proved who they are; the word of the app's server counts as far as the policy says.
    fileprivate func moment(_ provedAt: Timestamp, under policy: AuthPolicy) -> Timestamp {
        guard case .customToken(let proof) = self, !policy.customTokensAreRecent else { return provedAt }
        return proof.authenticatedAt ?? .distantPast
    }

    /// Why the proof itself does not hold for the account; nil while it does.
    fileprivate func refusal(for account: Account?, in snapshot: Snapshot, _ context: DecisionContext) -> Refusal? {
        switch self {
        case .password(let proof):
            switch PasswordStanding(proof, of: account) {
            case .matches: return nil
            case .mustWait: return Refusal(.tooManyRequests, .attemptsMustWait)
            case .missing, .differs, .replaced:
                let code: AuthErrorCode = context.policy.disclosure == .uniform ? .invalidCredential : .wrongPassword
                return Refusal(code, .credentialIsWrong)
            }
        case .mailbox(let proof): return snapshot.signInLinkStanding(proof, context).refusal
        case .phone(let proof):
            if let refusal = snapshot.phoneCodeStanding(proof, context).phoneRefusal { return refusal }
            guard let account else { return nil }
            if !account.factors.isEmpty, context.policy.phoneWithFactors == .refused {
                return Refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere)
            }
            let isOld = account.hasOldPhoneProof(at: context.now, under: context.policy)
            return isOld ? Refusal(.requiresRecentLogin, .numberProofIsOld) : nil
        case .federated: return refusal(in: snapshot, context)
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

extension Account {
    /// When the oldest thing that opens the account was added; nil if there is none.
    var oldestMethodDate: Timestamp? {
        (methods.map(\.seniorSince) + factors.map(\.enrolledAt)).min()
    }
}
