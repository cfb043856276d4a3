/// Signs in with an address and its password.
struct SignInWithPassword {
    let proof: PasswordProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var owner: OwnerStatus
        var password: PasswordStatus
        var factor: FactorStatus
        var disclosure: AuthPolicy.Disclosure
    }

    static func rule(_ facts: Facts) throws(Refusal) -> FactorFinding {
        switch facts.owner {
        case .none:
            throw facts.disclosure == .detailed ? .addressUnknown : .credentialWrong
        case .disabled:
            // If strangers learn nothing, only a caller who knows the password learns more.
            if facts.disclosure == .uniform && facts.password != .matches {
                throw .credentialWrong
            }
            throw .accountDisabled
        case .open:
            break
        }
        switch facts.password {
        case .missing, .differs, .replaced:
            throw facts.password.refusal(disclosing: facts.disclosure)
        case .matches:
            return facts.factor == .owed ? .challenge : .proceed
        }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let found = Proof.password(proof).account(in: seen, under: context.policy)
        let facts = Facts(
            owner: OwnerStatus(found),
            password: PasswordStatus(proof, of: found),
            factor: found?.factorStatus(shown: factor) ?? .none,
            disclosure: context.policy.disclosure
        )
        let finding = try Self.rule(facts)
        guard let owner = found, let method = owner.passwordMethod else { throw .contradiction }
        if finding == .challenge {
            throw transaction.challenge(owner, for: .signIn, over: .password(proof))
        }
        transaction.reasons.append(.passwordMatches)
        var account = owner
        if case .matches(_, _, let rehashed?) = proof.finding,
            let index = account.methods.firstIndex(where: { $0.generation == method.generation })
        {
            account.methods[index].kind = .password(rehashed)
        }
        return transaction.signIn(
            to: &account,
            from: owner,
            authentication: Authentication(Session.Basis(method), factor: factor)
        )
    }
}
