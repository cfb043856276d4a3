extension FactorProof {
    /// Consumes in the account and the transaction what presenting the factor uses up.
    func spend(in account: inout Account, _ transaction: inout Transaction) {
        for key in consumes { transaction.consume(key) }
        if let step, let index = account.factors.firstIndex(where: { $0.id == use.factor }),
            case .totp(let seed, _) = account.factors[index].kind
        {
            account.factors[index].kind = .totp(sealedSeed: resealedSeed ?? seed, lastUsedStep: step)
        }
        if let recoveryCode { account.recoveryCodes.removeAll { $0 == recoveryCode } }
    }
}

extension Transaction {
    /// Ends the recovery from lost factors that the account waits for, if there is one.
    mutating func endFactorRecovery(of account: AccountID, in seen: Snapshot, by actor: IdentityEvent.Actor) {
        for waiting in seen.records(of: .account(account), .lostFactors) where waiting.isLive(at: context.now) {
            consume(waiting.key)
            event(.factorRecoveryEnded, account, by: actor)
        }
    }

    /// The refusal that asks for a factor, and stores the proof until the factor is presented.
    func challenge(
        _ account: Account,
        for purpose: Store.FactorChallenge.Purpose,
        over proof: Proof,
        completing pending: OneTimeRecordID? = nil
    ) -> Refusal {
        guard let stored = proof.stored(for: account) else { return .contradiction }
        return challenge(account, for: purpose, proof: stored, completing: pending, using: proof.nonceKey)
    }

    /// The refusal that asks for a factor, and stores this until the factor is presented.
    func challenge(
        _ account: Account,
        for purpose: Store.FactorChallenge.Purpose,
        proof: Store.StoredProof,
        completing pending: OneTimeRecordID? = nil,
        using nonceKey: OneTimeRecordID? = nil
    ) -> Refusal {
        let id = OneTimeRecordID(words: context.fresh.record)
        let expiresAt = context.now + context.policy.lifetimes.factorChallenge
        var waiting = record(
            id.keyOfHandedOut,
            .factorChallenge(Store.FactorChallenge(purpose: purpose, proof: proof, completes: pending)),
            of: account.id,
            until: expiresAt,
            on: context.device
        )
        waiting.sessionGeneration = account.sessionGeneration
        let challenge = SecondFactor.Challenge(
            id: id,
            hints: account.activeFactors.map(SecondFactor.Challenge.Hint.init),
            expiresAt: expiresAt.date
        )
        return Refusal(
            .secondFactorRequired,
            .secondFactorIsRequired,
            detail: .secondFactor(challenge),
            writing: [.put(waiting)] + (nonceKey.map { [.consume($0)] } ?? [])
        )
    }
}
