/// Whether a second factor is required in addition to a first factor.
enum FactorStatus: Sendable, Hashable, CaseIterable {
    /// The account has none that counts.
    case notEnrolled
    /// A factor is enrolled and was not presented.
    case required
    /// A factor was presented.
    case presented
}

extension Account {
    /// Whether a factor is still required, given the one that was presented now, or before in the session.
    func factorStatus(in session: Session? = nil, presented factor: FactorProof?) -> FactorStatus {
        if activeFactors.isEmpty { return .notEnrolled }
        return holds(session?.factor) || isPresented(factor) ? .presented : .required
    }

    private func isPresented(_ factor: FactorProof?) -> Bool {
        guard let factor, factor.account == self.id, factor.sessionGeneration == sessionGeneration else { return false }
        if let id = factor.use.factor { return activeFactors.contains { $0.id == id && !$0.hasUsed(factor.step) } }
        return recoveryCodes.contains { $0 == factor.recoveryCode }
    }

    /// Whether the factor presented in a session still counts: a removed or suspended factor does not, nor a recovery
    /// code once none of the factors is left that it stood for.
    func holds(_ use: SecondFactor.Use?) -> Bool {
        guard let use else { return false }
        guard let id = use.factor else { return activeFactors.contains { $0.enrolledAt <= use.at } }
        return activeFactors.contains { $0.id == id }
    }
}

extension SecondFactor {
    /// Whether an app's code of this step, or a later one, was used before: two requests may present one at once.
    fileprivate func hasUsed(_ step: UInt64?) -> Bool {
        guard let step, case .totp(_, let lastUsed?) = kind else { return false }
        return step <= lastUsed
    }
}
