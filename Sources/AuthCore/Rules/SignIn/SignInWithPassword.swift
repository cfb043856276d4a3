/// Signs in with an address and its password.
struct SignInWithPassword: Operation {
    typealias Outcome = SignedIn

    let proof: PasswordProof
    var factor: FactorProof?

    init(proof: PasswordProof, factor: FactorProof? = nil) {
        self.proof = proof
        self.factor = factor
    }

    func lookups(_ request: Request) -> Lookups {
        if let provisional = proof.provisional { return [.record(provisional)] }
        var lookups = Lookups()
        lookups.insert(ownerOf: proof.email)
        return lookups
    }

    struct Facts: Sendable, Hashable {
        var owner: OwnerStanding
        var password: PasswordStanding
        var factor: FactorStanding
        var disclosure: AuthPolicy.Disclosure
    }

    enum Finding: Sendable, Hashable {
        case signIn
        case challenge
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if facts.password == .mustWait { return .refuse(.tooManyRequests, .attemptsMustWait) }
        switch facts.owner {
        case .none:
            return facts.disclosure == .uniform
                ? .refuse(.invalidCredential, .credentialIsWrong) : .refuse(.userNotFound, .addressIsUnknown)
        case .disabled:
            // Where strangers learn nothing, only who knows the password is told.
            if facts.disclosure == .uniform && facts.password != .matches {
                return .refuse(.invalidCredential, .credentialIsWrong)
            }
            return .refuse(.userDisabled, .accountIsDisabled)
        case .open:
            break
        }
        switch facts.password {
        case .missing, .differs, .replaced, .mustWait:
            return facts.disclosure == .uniform
                ? .refuse(.invalidCredential, .credentialIsWrong) : .refuse(.wrongPassword, facts.password.reason)
        case .matches:
            return facts.factor == .owed ? .challenge : .signIn
        }
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .password) { return refuse(refusal, by: ruling) }
        let found = account(in: snapshot, under: ruling.policy)
        let facts = Facts(
            owner: OwnerStanding(found),
            password: PasswordStanding(proof, of: found),
            factor: found?.factorStanding(shown: factor) ?? .none,
            disclosure: ruling.policy.disclosure
        )
        let finding = Self.rule(facts)
        if case .refuse(let code, let reason) = finding { return refuse(Refusal(code, reason), by: ruling) }
        let owner = try found.promised()
        let method = try owner.passwordMethod.promised()
        var draft = Draft(ruling)
        if finding == .challenge {
            let proof = StoredProof.password(owner.id, proof.email, generation: method.generation)
            return draft.refused(draft.challenge(owner, for: .signIn, proof: proof, generation: method.generation))
        }
        draft.reasons.append(.passwordMatches)
        var account = owner
        if case .matches(_, _, let rehashed?) = proof.finding,
            let index = account.methods.firstIndex(where: { $0.generation == method.generation })
        {
            account.methods[index].kind = .password(rehashed)
        }
        return draft.granted(
            draft.signIn(to: &account, from: owner, showing: Showing(SessionBasis(method), factor: factor))
        )
    }
}

extension SignInWithPassword {
    /// The account that the password is to be of.
    private func account(in seen: Snapshot, under policy: AuthPolicy) -> Account? {
        if let provisional = proof.provisional {
            return seen.provisionalAccount(provisional).flatMap { $0.email == proof.email ? $0 : nil }
        }
        // An address that the account has left is only kept for it, and leads nowhere.
        return seen.owner(ofAddress: proof.email, under: policy)
            .flatMap { policy.isSameMailbox($0.email, proof.email) ? $0 : nil }
    }
}

/// Whether somebody owns a key, and whether their account is open.
enum OwnerStanding: Sendable, Hashable, CaseIterable {
    case none
    case open
    case disabled

    init(_ owner: Account?) {
        self = owner.map { $0.isDisabled ? .disabled : .open } ?? .none
    }
}

/// What is known of a password that was presented for an account.
enum PasswordStanding: Sendable, Hashable, CaseIterable {
    case matches
    case differs
    /// The account has no password that can be used.
    case missing
    /// The password was right and has been replaced since it was compared.
    case replaced
    /// There were too many wrong passwords; this one was not looked at.
    case mustWait

    init(_ proof: PasswordProof, of owner: Account?) {
        if proof.finding == .mustWait {
            self = .mustWait
            return
        }
        guard let owner, let method = owner.passwordMethod, method.isActive else {
            self = .missing
            return
        }
        switch proof.finding {
        case .differs, .mustWait: self = .differs
        case .matches(let account, let generation, _):
            self = account == owner.id && generation == method.generation ? .matches : .replaced
        }
    }

    var reason: Reason {
        switch self {
        case .matches: .passwordMatches
        case .differs: .passwordDiffers
        case .missing: .accountHasNoPassword
        case .replaced: .passwordWasReplaced
        case .mustWait: .attemptsMustWait
        }
    }
}
