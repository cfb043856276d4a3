extension Proof {
    /// Refuses a proof of a provider that is switched off, and one that does not hold.
    func validate(_ seen: Snapshot, _ context: DecisionContext) throws(Refusal) {
        try context.policy.requireEnabled(provider)
        if let refusal = refusal(in: seen, context) { throw refusal }
    }

    /// Why the proof does not hold, or no longer, or not here, whoever presents it; nil while it does.
    ///
    /// A provider that is switched off is refused apart from this.
    func refusal(in seen: Snapshot, _ context: DecisionContext) -> Refusal? {
        switch claim {
        case .password(let proof): proof.finding == .mustWait ? .attemptsMustWait : nil
        case .mailbox(let proof): seen.signInLinkStatus(proof, context).refusal
        case .phone(let proof): seen.phoneCodeStatus(proof, context).phoneRefusal
        case .identity(let proof): proof.validityRefusal(in: seen, context)
        case .customToken, .nothing: nil
        }
    }
}

extension AuthPolicy {
    /// Refuses a provider that is switched off.
    func requireEnabled(_ provider: ProviderID) throws(Refusal) {
        if let refusal = refusal(of: provider) { throw refusal }
    }

    /// The refusal of a provider that is switched off; nil for one that is on.
    func refusal(of provider: ProviderID) -> Refusal? {
        guard disabledProviders.contains(provider) else { return nil }
        return Refusal(
            provider == .anonymous ? .adminRestrictedOperation : .operationNotAllowed,
            .providerIsSwitchedOff
        )
    }
}
