extension FactorProof {
    /// Consumes in the account and the transaction what presenting the factor uses up.
    func spend(in account: inout Account, _ transaction: inout Transaction) {
        for key in consumes { transaction.consume(key) }
        if let step, let index = account.factors.firstIndex(where: { $0.id == use.factor }),
            case .totp(let seed, _) = account.factors[index].kind
        {
            account.factors[index].kind = .totp(sealedSeed: resealedSeed ?? seed, lastUsedStep: step)
        }
        guard let recoveryCode else { return }
        account.recoveryCodes.removeAll { $0 == recoveryCode }
        transaction.recoveryCodeUser = account.id
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

    /// The refusal that asks for a factor, and stores the proof, or else a new password, until the factor is presented.
    func challenge(
        _ account: Account,
        for purpose: Store.FactorChallenge.Purpose,
        over proof: Proof?,
        storing newPassword: Store.StoredProof? = nil,
        completing pending: OneTimeRecordID? = nil
    ) -> Refusal {
        guard let stored = newPassword ?? proof?.stored else { return .contradiction }
        let verifiedAt = min(proof?.verifiedAt ?? context.verifiedAt, context.now)
        let content = Store.FactorChallenge(purpose: purpose, proof: stored, verifiedAt: verifiedAt, completes: pending)
        let id = OneTimeRecordID(words: context.fresh.record)
        let expiresAt = context.now + context.policy.lifetimes.factorChallenge
        var waiting = record(
            id.keyOfHandedOut,
            .factorChallenge(content),
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
            writing: [.put(waiting)] + (proof?.nonceKey.map { [.consume($0)] } ?? [])
        )
    }
}
