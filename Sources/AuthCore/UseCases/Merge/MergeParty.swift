/// One side of a merge: its proof or session, and the account that this led to when it was looked up.
enum MergeParty: Sendable {
    /// A proof made in this attempt, with the factor that was presented after it.
    case proof(Proof, factor: FactorProof?, account: AccountID?)
    /// The live session of an anonymous account.
    case session(ActingHandle)

    /// The account that the side led to when it was looked up.
    var account: AccountID? {
        switch self {
        case .proof(_, _, let account): account
        case .session(let handle): handle.account
        }
    }

    /// What must be looked up for the side.
    func lookups(_ request: Request) -> Lookups {
        switch self {
        case .session(let handle): return handle.lookups
        case .proof(let proof, _, let account):
            guard let account else { return proof.lookups(request) }
            return Lookups([.account(account)]).union(proof.lookups(request))
        }
    }

    /// The one-time records of the factor, without which the side is refused.
    var requires: [OneTimeRecordID] { if case .proof(_, let factor?, _) = self { factor.consumes } else { [] } }

    /// When the proof was made; nil for a session.
    var verifiedAt: Timestamp? { if case .proof(let proof, _, _) = self { proof.verifiedAt } else { nil } }

    /// Whether the side is a session rather than a proof.
    var isSession: Bool { if case .session = self { true } else { false } }

    /// Consumes the records that the proof rests on.
    func spend(_ transaction: inout Transaction) {
        guard case .proof(let proof, _, _) = self else { return }
        transaction.use(proof)
    }
}

extension MergeParty {
    /// The verified side; throws if it is not valid, with a challenge if a factor is required.
    func side(
        _ role: MergeRole,
        of account: Account?,
        age: (SignInMethod?, Account) -> MethodAge,
        at judged: Timestamp? = nil,
        in seen: Snapshot,
        _ transaction: Transaction
    ) throws(Refusal) -> VerifiedSide {
        let context = transaction.context
        let side = try open(account, in: seen, context)
        guard case .proof(let proof, let factor, _) = self, let moment = side.verifiedAt else { return side }
        if !context.isRecent(moment) { throw .loginNotRecent }
        // A caller who still needs a factor learns nothing else.
        if side.account.factorStatus(presented: factor) == .required {
            let challenge = transaction.challenge(side.account, for: .merge, over: proof)
            throw Refusal(challenge.code, role.factorReason, detail: challenge.detail, writing: challenge.writes)
        }
        if side.account.isDisabled { throw .accountDisabled }
        let age = age(side.method, side.account)
        if !context.isSenior(age.since ?? moment, than: age.oldest, at: judged) { throw .loginNotSenior }
        return side
    }

    /// What the side can sign in to now; throws if there is nothing.
    private func open(
        _ account: Account?,
        in seen: Snapshot,
        _ context: DecisionContext
    ) throws(Refusal) -> VerifiedSide {
        switch self {
        case .session(let handle):
            _ = try handle.actor(in: seen, context)
            guard let account, account.id == handle.account, account.isAnonymous, !account.acceptsCustomTokens
            else { throw Refusal(.requiresRecentLogin, .sessionIsNoProof) }
            return VerifiedSide(stored: account, account: account, basis: .anonymous)
        case .proof(let proof, let factor, _):
            let policy = context.policy
            try proof.validate(seen, context, as: .signIn)
            guard let verifiedAt = proof.verifiedAt else { throw .contradiction }
            if case .phone = proof.claim, account?.acceptsNumber(under: policy) == false { throw .phoneIsNoFirstFactor }
            guard let account, let match = proof.match(account, context) else {
                throw proof.mismatch(with: account, under: policy)
            }
            if match.isStale { throw .numberVerificationOld }
            if !match.isActive { throw .signsInToNothing(under: policy) }
            // A link to an address of the account need not sign in to it.
            if case .mailbox = proof.claim, !account.opensByLink(under: policy) {
                throw .signsInToNothing(under: policy)
            }
            var side = VerifiedSide(
                stored: account,
                account: account,
                method: match.method,
                basis: match.basis,
                subject: proof.verifiedContact(under: policy),
                factor: factor,
                verifiedAt: proof.moment(verifiedAt, under: policy)
            )
            if case .customToken(let token) = proof.claim { side.claims = token.claims }
            if case .identity(let proof) = proof.claim { _ = side.account.renew(proof.identity, context) }
            return side
        }
    }
}

extension Refusal {
    /// The refusal of a credential that signs in to no account; if strangers learn nothing, it looks like a wrong one.
    fileprivate static func signsInToNothing(under policy: AuthPolicy) -> Refusal {
        Refusal(policy.disclosure == .detailed ? .userNotFound : .invalidCredential, .credentialSignsInToNothing)
    }
}

extension Proof {
    /// The refusal of a proof that verifies nothing about the account.
    fileprivate func mismatch(with account: Account?, under policy: AuthPolicy) -> Refusal {
        guard case .password(let proof) = claim else { return .signsInToNothing(under: policy) }
        return proof.status(of: account).refusal(disclosing: policy.disclosure)
    }

    /// When the person was authenticated.
    fileprivate func moment(_ verifiedAt: Timestamp, under policy: AuthPolicy) -> Timestamp {
        if case .customToken(let proof) = claim { proof.authenticatedAt(verifiedAt, under: policy) } else { verifiedAt }
    }
}
