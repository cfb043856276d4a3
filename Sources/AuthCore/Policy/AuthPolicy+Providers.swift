extension DecisionContext {
    /// Refuses a provider that is switched off.
    func requireEnabled(_ provider: ProviderID) throws(Refusal) {
        if policy.disabledProviders.contains(provider) { throw .switchedOff(provider) }
    }
}

extension AuthPolicy {
    /// The refusal of a provider that is switched off; nil for one that is on.
    func refusal(of provider: ProviderID) -> Refusal? {
        disabledProviders.contains(provider) ? .switchedOff(provider) : nil
    }
}

extension Refusal {
    fileprivate static func switchedOff(_ provider: ProviderID) -> Refusal {
        Refusal(
            provider == .anonymous ? .adminRestrictedOperation : .operationNotAllowed,
            .providerIsSwitchedOff
        )
    }
}
