extension ActingSession {
    /// Throws if a change takes away the verified address by which lost factors are recovered.
    func requireAddress(in changed: Account, _ context: DecisionContext) throws(Refusal) {
        // What costs less is asked first: few accounts have factors.
        if changed.strandsFactors(context), account.canRecoverFactors(context) { throw .factorNeedsAddress }
    }

    /// Whether the session still needs a second factor of its account.
    var factorStatus: FactorStatus { account.factorStatus(in: session, presented: nil) }
}

extension Account {
    /// Whether the account has factors, and no verified address by which lost ones could be recovered, where the policy
    /// lets people recover them.
    func strandsFactors(_ context: DecisionContext) -> Bool {
        !activeFactors.isEmpty && context.policy.factorRecoveryWait != nil
            && context.policy.isEnabled(.emailLink) && !canRecoverFactors(context)
    }

    /// Whether a link to the verified address could remove lost factors.
    fileprivate func canRecoverFactors(_ context: DecisionContext) -> Bool {
        isEmailVerified(under: context.policy) && receivesMail
    }
}
