extension AuthService {
    /// Aborts merges whose time is over, so that their hooks are notified before another one begins.
    ///
    /// - Returns: The accounts, as they were before.
    @discardableResult
    func abortOverdueMerges(of ids: [AccountID], _ context: RequestContext) async throws(AuthError) -> [Account] {
        let accounts = try await load(Lookups(ids.map { .account($0) })).accounts
        for account in accounts {
            guard let lock = account.mergeLock, lock.until <= environment.now else { continue }
            try await resumeMerge(Merge.ID(lock.intent), context)
        }
        return accounts
    }

    /// Returns the requested merge, with the seeds that may move sealed for the target account.
    func beginning(
        _ giver: MergeParty,
        _ receiver: MergeParty,
        _ moving: ProviderID?,
        _ choices: Set<ProviderID>
    ) async throws(AuthError) -> BeginMerge {
        let seen = try await load(Lookups(giver.account.map { [.account($0)] } ?? []))
        return BeginMerge(
            source: giver,
            target: receiver,
            moving: moving,
            choices: choices,
            // A move leaves the factors where they are.
            seeds: moving == nil ? try reseal(giver.account.flatMap { seen[$0] }, for: receiver.account) : [:],
            hasHooks: !configuration.mergeHooks.isEmpty
        )
    }

    /// Returns one side of a merge, by a verified credential.
    func party(_ verified: VerifiedCredential) async throws(AuthError) -> MergeParty {
        .proof(verified.proof, factor: nil, account: try await account(openedBy: verified.proof))
    }

    /// Returns one side of a merge, by the answer to the merge's second-factor challenge.
    func party(
        _ challenge: SecondFactor.Challenge,
        _ assertion: SecondFactor.Assertion,
        in operation: String,
        _ context: RequestContext
    ) async throws(AuthError) -> MergeParty {
        let found = try await waiting(challenge.key, in: operation, context)
        guard found.challenge.purpose == .merge, var proof = found.challenge.proof.proof(under: policy) else {
            throw audit(AuthError(Refusal.challengeOver), of: operation, context, account: found.account.id)
        }
        let factor = try await verify(assertion, for: challenge.key, of: found.account, in: operation, context)
        proof.verifiedAt = found.challenge.verifiedAt
        return .proof(proof, factor: factor, account: found.account.id)
    }

    /// A wrong password leads to no account: a stranger must not cause that an account's seeds are read.
    private func account(openedBy proof: Proof) async throws(AuthError) -> AccountID? {
        if case .password(let proof) = proof.claim {
            guard case .matches(let account, _, _) = proof.finding else { return nil }
            return account
        }
        return proof.account(in: try await load(proof.lookups(Request(sharedPolicy, RequestContext()))), under: policy)?
            .id
    }

    /// Seals the seeds that move for the target account, since seeds are sealed per account.
    func reseal(_ source: Account?, for target: AccountID?) throws(AuthError) -> ResealedSeeds {
        var seeds = ResealedSeeds()
        guard let source, let target else { return seeds }
        for factor in source.factors {
            guard case .totp(let seed, _) = factor.kind else { continue }
            let plain = try open(seed, context: source.id.seedContext)
            seeds[factor.id] = try seal(plain, context: target.seedContext)
        }
        return seeds
    }
}
