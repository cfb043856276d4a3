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
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if facts.password == .mustWait { throw .attemptsMustWait }
        switch facts.owner {
        case .none:
            throw facts.disclosure == .uniform ? .credentialWrong : .addressUnknown
        case .disabled:
            // Where strangers learn nothing, only who knows the password is told.
            if facts.disclosure == .uniform && facts.password != .matches {
                throw .credentialWrong
            }
            throw .accountDisabled
        case .open:
            break
        }
        switch facts.password {
        case .missing, .differs, .replaced, .mustWait:
            throw facts.disclosure == .uniform
                ? .credentialWrong : Refusal(.wrongPassword, facts.password.reason)
        case .matches:
            return facts.factor == .owed ? .challenge : .signIn
        }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if let refusal = context.policy.refusal(of: .password) { throw refusal }
        let found = account(in: seen, under: context.policy)
        let facts = Facts(
            owner: OwnerStanding(found),
            password: PasswordStanding(proof, of: found),
            factor: found?.factorStanding(shown: factor) ?? .none,
            disclosure: context.policy.disclosure
        )
        let finding = try Self.rule(facts)
        guard let owner = found, let method = owner.passwordMethod else { throw .contradiction }
        if finding == .challenge {
            let proof = StoredProof.password(owner.id, proof.email, generation: method.generation)
            throw transaction.challenge(owner, for: .signIn, proof: proof, generation: method.generation)
        }
        transaction.reasons.append(.passwordMatches)
        var account = owner
        if case .matches(_, _, let rehashed?) = proof.finding,
            let index = account.methods.firstIndex(where: { $0.generation == method.generation })
        {
            account.methods[index].kind = .password(rehashed)
        }
        return transaction.signIn(to: &account, from: owner, showing: Showing(SessionBasis(method), factor: factor))
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
