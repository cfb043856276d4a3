extension AuthPolicy {
    /// Whether credentials of the provider are accepted.
    func isEnabled(_ provider: ProviderID) -> Bool { !disabledProviders.contains(provider) }
}

extension DecisionContext {
    /// Refuses a provider that is disabled.
    func requireEnabled(_ provider: ProviderID) throws(Refusal) {
        // Not `isEnabled`: a method of the policy could copy all of it.
        if policy.disabledProviders.contains(provider) { throw .disabled(provider) }
    }
}

extension Refusal {
    /// The refusal of a provider that is disabled.
    static func disabled(_ provider: ProviderID) -> Refusal {
        Refusal(provider == .anonymous ? .adminRestrictedOperation : .operationNotAllowed, .providerIsDisabled)
    }
}
