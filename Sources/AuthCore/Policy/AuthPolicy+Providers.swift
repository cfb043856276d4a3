extension DecisionContext {
    /// Refuses a provider that is switched off.
    func requireEnabled(_ provider: ProviderID) throws(Refusal) {
        if let refusal = policy.refusal(of: provider) { throw refusal }
    }
}

extension AuthPolicy {
    /// The refusal of a provider that is switched off; nil for one that is on.
    func refusal(of provider: ProviderID) -> Refusal? {
        guard disabledProviders.contains(provider) else { return nil }
        let code = provider == .anonymous ? AuthErrorCode.adminRestrictedOperation : .operationNotAllowed
        return Refusal(code, .providerIsSwitchedOff)
    }
}
