/// That a second factor of an account was shown, and what showing it uses up.
struct FactorProof: Sendable {
    let use: FactorUse
    let account: AccountID
    /// The account's epoch when the first factor was shown.
    let epoch: UInt32
    /// The challenge and the code, which the commit uses up.
    let consumes: [CapabilityKey]
    /// The time step of a time-based code, below which no further code is taken.
    let step: UInt64?
    /// The recovery code that is spent.
    let recoveryCode: RecoveryCode?

    init(
        use: FactorUse,
        account: AccountID,
        epoch: UInt32,
        consumes: [CapabilityKey],
        step: UInt64? = nil,
        recoveryCode: RecoveryCode? = nil
    ) {
        self.use = use
        self.account = account
        self.epoch = epoch
        self.consumes = consumes
        self.step = step
        self.recoveryCode = recoveryCode
    }

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

/// Whether a second factor stands between a first factor and what it asks for.
enum FactorStanding: Sendable, Hashable, CaseIterable {
    /// The account has none.
    case none
    /// One is enrolled and was not shown.
    case owed
    /// One was shown.
    case shown
}

extension Account {
    /// The factors that can be shown now.
    var activeFactors: [SecondFactor] { factors.filter { $0.suspension == nil } }

    /// Whether a factor is owed, given what was shown.
    func factorStanding(shown factor: FactorProof?) -> FactorStanding {
        if factors.isEmpty || activeFactors.isEmpty { return .none }
        return isShown(factor) ? .shown : .owed
    }

    private func isShown(_ factor: FactorProof?) -> Bool {
        guard let factor, factor.account == id, factor.epoch == epoch else { return false }
        if let shown = factor.use.factor {
            return activeFactors.contains { $0.id == shown && !$0.hasUsed(factor.step) }
        }
        return recoveryCodes.contains { $0 == factor.recoveryCode }
    }

    /// Whether a factor is owed in a session that may have shown one before.
    func factorStanding(in session: Session, shown factor: FactorProof?) -> FactorStanding {
        if factors.isEmpty || activeFactors.isEmpty { return .none }
        return holds(session.factor) || isShown(factor) ? .shown : .owed
    }

    /// Whether what a session showed still counts: a factor that is gone or suspended does not.
    private func holds(_ use: FactorUse?) -> Bool {
        guard let use else { return false }
        guard let shown = use.factor else { return true }
        return activeFactors.contains { $0.id == shown }
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

extension SecondFactor {
    /// Whether an app's code of this step, or a later one, was used before: two may show the same code at once.
    fileprivate func hasUsed(_ step: UInt64?) -> Bool {
        guard let step, case .totp(_, let lastUsed?) = kind else { return false }
        return step <= lastUsed
    }
}
