/// Signs in by the word of the app's own server, to the account that it names.
struct SignInWithCustomToken: Operation {
    typealias Outcome = SignedIn

    let proof: CustomTokenProof
    var factor: FactorProof?

    init(proof: CustomTokenProof, factor: FactorProof? = nil) {
        self.proof = proof
        self.factor = factor
    }

    func lookups(_ request: Request) -> Lookups { [.account(proof.account)] }

    enum AccountStanding: Sendable, Hashable, CaseIterable {
        case none
        case open
        case disabled
        case deleted
        case merged
    }

    struct Facts: Sendable, Hashable {
        var account: AccountStanding
        var factor: FactorStanding
    }

    enum Finding: Sendable, Hashable {
        case create
        case signIn
        case challenge
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        switch facts.account {
        case .none: .create
        case .disabled: .refuse(.userDisabled, .accountIsDisabled)
        case .deleted: .refuse(.userNotFound, .accountIsGone)
        case .merged: .refuse(.accountMerged, .accountWasMerged)
        case .open: facts.factor == .owed ? .challenge : .signIn
        }
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .custom) { return refuse(refusal, by: ruling) }
        let owner = snapshot[proof.account]
        let facts = Facts(account: standing(in: snapshot), factor: owner?.factorStanding(shown: factor) ?? .none)
        var draft = Draft(ruling)
        var account: Account
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .challenge:
            let owner = try owner.promised()
            let stored = StoredProof.customToken(proof)
            return draft.refused(draft.challenge(owner, for: .signIn, proof: stored, generation: nil))
        case .create:
            draft.reasons.append(.serverVouches)
            var new = Account(id: proof.account, createdAt: ruling.now)
            new.acceptsCustomTokens = true
            account = new
        case .signIn:
            let owner = try owner.promised()
            draft.reasons.append(.serverVouches)
            var known = owner
            known.acceptsCustomTokens = true
            known.isAnonymous = false
            account = known
        }
        var showing = Showing(.customToken, factor: factor)
        showing.authenticatedAt = proof.authenticatedAt(by: ruling)
        showing.claims = proof.claims
        return draft.granted(draft.signIn(to: &account, from: owner, showing: showing))
    }

    private func standing(in snapshot: Snapshot) -> AccountStanding {
        if let account = snapshot[proof.account] { return account.isDisabled ? .disabled : .open }
        guard case .tombstone(let successor)? = snapshot.tombstone(of: proof.account)?.content else { return .none }
        return successor == nil ? .deleted : .merged
    }
}

extension StoredProof {
    /// The server's word as it is kept while a factor is asked for, with the moment that it states.
    static func customToken(_ proof: CustomTokenProof) -> StoredProof {
        var claims = proof.claims
        // The name is reserved, so no claim of the server's own is in its place.
        if let at = proof.authenticatedAt { claims[authTime] = .integer(at.seconds) }
        return .customToken(proof.account, claims)
    }

    /// The server's word again.
    static func customToken(_ account: AccountID, kept claims: [String: ClaimValue]) -> CustomTokenProof {
        var own = claims
        let at = own.removeValue(forKey: authTime)?.integerValue.map { Timestamp(seconds: $0) }
        return CustomTokenProof(account: account, claims: own, authenticatedAt: at)
    }

    private static var authTime: String { "auth_time" }
}

extension CustomTokenProof {
    /// When the server saw the person, as far as the policy believes it.
    func authenticatedAt(by ruling: Ruling) -> Timestamp {
        ruling.policy.customTokensAreRecent ? ruling.now : authenticatedAt ?? .distantPast
    }
}
