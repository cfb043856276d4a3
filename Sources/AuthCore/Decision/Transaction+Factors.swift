extension FactorProof {
    /// Spends in the account and the transaction what showing the factor uses up.
    func spend(in account: inout Account, _ transaction: inout Transaction) {
        for key in consumes { transaction.changes.capabilities.append(.consume(key)) }
        if let step, let index = account.factors.firstIndex(where: { $0.id == use.factor }),
            case .totp(let seed, _) = account.factors[index].kind
        {
            account.factors[index].kind = .totp(sealedSeed: seed, lastUsedStep: step)
        }
        if let recoveryCode { account.recoveryCodes.removeAll { $0 == recoveryCode } }
    }
}

extension Transaction {
    /// The refusal that asks for a factor, and keeps what was proved until it is shown.
    func challenge(
        _ account: Account,
        for purpose: FactorChallenge.Purpose,
        proof: StoredProof,
        generation: UInt32?,
        completing pending: CapabilityKey? = nil
    ) -> Refusal {
        let key = CapabilityKey(bits: context.fresh.capability)
        let expiresAt = context.now + context.policy.lifetimes.factorChallenge
        let waiting = Capability(
            key: key,
            account: account.id,
            createdAt: context.now,
            expiresAt: expiresAt,
            seat: context.seat,
            epoch: account.epoch,
            content: .factorChallenge(
                FactorChallenge(purpose: purpose, proof: proof, completes: pending, generation: generation)
            )
        )
        let challenge = SecondFactorChallenge(
            id: key,
            hints: account.activeFactors.map(SecondFactorChallenge.Hint.init),
            expiresAt: expiresAt.date
        )
        return Refusal(
            .secondFactorRequired,
            .secondFactorIsOwed,
            detail: .secondFactor(challenge),
            writing: [.put(waiting)]
        )
    }
}
