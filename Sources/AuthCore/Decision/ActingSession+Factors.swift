extension ActingSession {
    /// Throws if a change takes away the verified address by which lost factors are recovered.
    func requireAddress(in changed: Account, _ context: DecisionContext) throws(Refusal) {
        let isTaken = account.isEmailVerified(under: context.policy) && changed.email == nil
        if isTaken, !changed.activeFactors.isEmpty, context.policy.factorRecoveryWait != nil {
            throw .addressUnverified
        }
    }

    /// Whether the session still needs a second factor of its account.
    var factorStatus: FactorStatus { account.factorStatus(in: session, shown: nil) }
}
