/// Whether a second factor stands between a first factor and what it asks for.
enum FactorStatus: Sendable, Hashable, CaseIterable {
    /// The account has none.
    case none
    /// One is enrolled and was not shown.
    case owed
    /// One was shown.
    case shown
}

extension Account {
    /// Whether a factor is owed, given what was shown.
    func factorStatus(shown factor: FactorProof?) -> FactorStatus {
        if factors.isEmpty || activeFactors.isEmpty { return .none }
        return isShown(factor) ? .shown : .owed
    }

    private func isShown(_ factor: FactorProof?) -> Bool {
        guard let factor, factor.account == id, factor.sessionGeneration == sessionGeneration else { return false }
        if let shown = factor.use.factor {
            return activeFactors.contains { $0.id == shown && !$0.hasUsed(factor.step) }
        }
        return recoveryCodes.contains { $0 == factor.recoveryCode }
    }

    /// Whether a factor is owed in a session that may have shown one before.
    func factorStatus(in session: Session, shown factor: FactorProof?) -> FactorStatus {
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

extension SecondFactor {
    /// Whether an app's code of this step, or a later one, was used before: two may show the same code at once.
    fileprivate func hasUsed(_ step: UInt64?) -> Bool {
        guard let step, case .totp(_, let lastUsed?) = kind else { return false }
        return step <= lastUsed
    }
}
