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
    func spend(by ruling: Ruling, _ draft: inout Draft) {
        shown?.spend(by: ruling, &draft)
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
    /// The proved side; or the refusal, which may write the challenge of a factor into the draft.
    func side(
        _ role: MergeRole,
        of account: Account?,
        age: (Method?) -> MethodAge,
        in snapshot: Snapshot,
        _ draft: inout Draft
    ) throws(Refusal) -> Result<ProvedSide, Refusal> {
        let ruling = draft.ruling
        let opening = opening(account, in: snapshot, by: ruling)
        var facts = MergeSideFacts(
            credential: .refused,
            isDisabled: account?.isDisabled ?? false,
            isRecent: true,
            factor: .none,
            isSenior: true
        )
        if let account, case .proof(let proof, let factor, let provedAt) = proof, case .success(let opening) = opening {
            let at = proof.moment(provedAt, under: ruling.policy)
            facts.credential = .opens
            facts.isRecent = ruling.now - at <= ruling.policy.recency.interval
            facts.factor = account.factorStanding(shown: factor)
            let age = age(opening.method)
            facts.isSenior = isSenior(age.since ?? at, than: age.oldest, by: ruling)
        } else if case .session = proof, case .success = opening {
            facts.credential = .session
        }
        switch MergeSideFacts.rule(facts) {
        case .accept:
            return opening
        case .challenge:
            let side = try opening.get()
            let stored = try shown.promised().stored(for: side.account).promised()
            let owed = draft.challenge(side.account, for: .merge, proof: stored, generation: side.method?.generation)
            return .failure(Refusal(owed.code, role.owesFactor, detail: owed.detail))
        case .refuse(let code, let reason):
            return .failure(Refusal(code, reason))
        case .refuseCredential:
            return .failure(try opening.refusal.promised())
        }
    }

    private func isSenior(_ since: Timestamp, than oldest: Timestamp?, by ruling: Ruling) -> Bool {
        guard let enough = ruling.policy.seniority, let oldest else { return true }
        return since <= oldest || ruling.now - since >= enough
    }

    /// What the proof opens today, or why it opens nothing.
    private func opening(
        _ account: Account?,
        in snapshot: Snapshot,
        by ruling: Ruling
    ) -> Result<ProvedSide, Refusal> {
        switch proof {
        case .session(let handle):
            let standing = handle.standing(in: snapshot, by: ruling)
            if standing != .disabled, let refusal = standing.refusal { return .failure(refusal) }
            guard let account, account.id == handle.account, account.isAnonymous, account.methods.isEmpty,
                !account.acceptsCustomTokens
            else { return .failure(Refusal(.requiresRecentLogin, .sessionIsNoProof)) }
            return .success(
                ProvedSide(account: account, method: nil, basis: .anonymous, subject: nil, factor: nil)
            )
        case .proof(let proof, let factor, _):
            if let refusal = ruling.policy.refusal(of: proof.provider) { return .failure(refusal) }
            if let refusal = proof.refusal(for: account, in: snapshot, by: ruling) { return .failure(refusal) }
            guard let account, let basis = proof.basis(in: account) else {
                return .failure(.opensNothing(under: ruling.policy))
            }
            return .success(
                ProvedSide(
                    account: account,
                    method: account.methods.first { $0.generation == basis.generation },
                    basis: basis,
                    subject: proof.provedSubject(under: ruling.policy),
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
    fileprivate func refusal(for account: Account?, in snapshot: Snapshot, by ruling: Ruling) -> Refusal? {
        switch self {
        case .password(let proof):
            switch PasswordStanding(proof, of: account) {
            case .matches: return nil
            case .mustWait: return Refusal(.tooManyRequests, .attemptsMustWait)
            case .missing, .differs, .replaced:
                let code: AuthErrorCode = ruling.policy.disclosure == .uniform ? .invalidCredential : .wrongPassword
                return Refusal(code, .credentialIsWrong)
            }
        case .mailbox(let proof): return snapshot.signInLinkStanding(proof, by: ruling).refusal
        case .phone(let proof):
            if let refusal = snapshot.phoneCodeStanding(proof, by: ruling).phoneRefusal { return refusal }
            guard let account else { return nil }
            if !account.factors.isEmpty, ruling.policy.phoneWithFactors == .refused {
                return Refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere)
            }
            let isOld = account.hasOldPhoneProof(at: ruling.now, under: ruling.policy)
            return isOld ? Refusal(.requiresRecentLogin, .numberProofIsOld) : nil
        case .federated(let proof): return proof.refusal(in: snapshot, by: ruling)
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
