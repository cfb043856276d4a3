extension AuthService {
    /// What is asked for, with both sides looked up and the seeds that may move sealed anew.
    ///
    /// An earlier merge whose time is over is called off first, so that its hooks hear of it.
    func beginning(
        _ source: MergeSide,
        _ target: MergeSide,
        _ moving: ProviderID?,
        _ choices: Set<ProviderID>,
        _ context: RequestContext
    ) async throws(AuthError) -> BeginMerge {
        let giver = try await party(source, context)
        let receiver = try await party(target, context)
        let ids = [giver.account, receiver.account].compactMap(\.self)
        let seen = try await load(Lookups(ids.map { .account($0) }))
        let accounts = seen.accounts
        for account in accounts {
            guard let hold = account.hold, hold.until <= environment.now else { continue }
            try await resumeMerge(MergeID(hold.intent), context: context)
        }
        return BeginMerge(
            source: giver,
            target: receiver,
            moving: moving,
            choices: choices,
            seeds: try reseal(giver.account.flatMap { seen[$0] }, for: receiver.account),
            hasHooks: !configuration.mergeHooks.isEmpty
        )
    }

    /// One side, with the account that its proof seems to open.
    func party(_ side: MergeSide, _ context: RequestContext) async throws(AuthError) -> MergeParty {
        switch side {
        case .anonymous(let user):
            return MergeParty(.session(user.handle), account: user.handle.account)
        case .proved(let verified):
            let proof = MergeSideProof.proof(verified.proof, factor: nil, provedAt: verified.verifiedAt)
            return MergeParty(proof, account: try await account(openedBy: verified.proof))
        case .answering(let challenge, let assertion):
            let found = try await waiting(challenge.id, context)
            guard found.challenge.purpose == .merge, let proof = found.challenge.proof.proof(under: policy) else {
                throw AuthError(.invalidMultiFactorSession, reasons: [.challengeIsOver])
            }
            let factor = try await verify(assertion, for: challenge.id, of: found.account, context)
            let shown = MergeSideProof.proof(proof, factor: factor, provedAt: found.since)
            return MergeParty(shown, account: found.account.id)
        }
    }

    private func account(openedBy proof: Proof) async throws(AuthError) -> AccountID? {
        let key: UniqueKey
        switch proof {
        case .password(let proof):
            if case .matches(let account, _, _) = proof.finding { return account }
            key = .primaryEmail(proof.email)
        case .mailbox(let proof): key = .primaryEmail(proof.email)
        case .phone(let proof): key = .phone(proof.number)
        case .federated(let proof): key = .identity(proof.identity.key)
        case .customToken(let proof): return proof.account
        case .anonymous: return nil
        }
        return try await load([.owner(key)]).owner(of: key)?.id
    }

    /// Seeds are sealed for their account, so what moves is sealed anew.
    func reseal(_ source: Account?, for target: AccountID?) throws(AuthError) -> ResealedSeeds {
        var seeds = ResealedSeeds()
        guard let source, let target else { return seeds }
        for factor in source.factors {
            guard case .totp(let seed, _) = factor.kind else { continue }
            do {
                let plain = try sealer.open(seed, context: "totp " + source.id.text)
                seeds[seed] = try sealer.seal(plain, context: "totp " + target.text)
            } catch {
                throw AuthError(
                    .internalError,
                    message: "A factor's seed cannot be read with this key.",
                    cause: error
                )
            }
        }
        return seeds
    }
}
