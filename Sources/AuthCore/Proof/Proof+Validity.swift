extension Proof {
    /// Refuses a proof of a disabled provider, and one that is not valid.
    func validate(_ seen: Snapshot, _ context: DecisionContext) throws(Refusal) {
        try context.policy.requireEnabled(provider)
        if let refusal = refusal(in: seen, context) { throw refusal }
    }

    /// Why the proof is not valid, no longer valid, or not valid on this device; nil while it is valid.
    ///
    /// A disabled provider is refused separately.
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
    /// Refuses a disabled provider.
    func requireEnabled(_ provider: ProviderID) throws(Refusal) {
        if let refusal = refusal(of: provider) { throw refusal }
    }

    /// The refusal of a disabled provider; nil for an enabled one.
    func refusal(of provider: ProviderID) -> Refusal? {
        guard disabledProviders.contains(provider) else { return nil }
        return Refusal(
            provider == .anonymous ? .adminRestrictedOperation : .operationNotAllowed,
            .providerIsSwitchedOff
        )
    }
}
