extension Proof {
    /// Why the proof does not hold, or no longer, or not here, whoever presents it; nil while it does.
    ///
    /// A provider that is switched off is refused apart from this.
    func refusal(in seen: Snapshot, _ context: DecisionContext) -> Refusal? {
        switch self {
        case .password(let proof): proof.finding == .mustWait ? .attemptsMustWait : nil
        case .mailbox(let proof): seen.signInLinkStanding(proof, context).refusal
        case .phone(let proof): seen.phoneCodeStanding(proof, context).phoneRefusal
        case .federated(let proof): proof.validityRefusal(in: seen, context)
        case .customToken, .anonymous: nil
        }
    }
}

extension AuthPolicy {
    /// The refusal of a provider that is switched off; nil for one that is on.
    func refusal(of provider: ProviderID) -> Refusal? {
        guard disabledProviders.contains(provider) else { return nil }
        return Refusal(
            provider == .anonymous ? .adminRestrictedOperation : .operationNotAllowed,
            .providerIsSwitchedOff
        )
    }
}
