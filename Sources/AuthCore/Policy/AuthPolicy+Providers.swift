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
