extension DecisionContext {
    /// Refuses a provider that is disabled.
    func requireEnabled(_ provider: ProviderID) throws(Refusal) {
        // Whether it is disabled is asked first, since a method of the policy could copy all of it.
        guard policy.disabledProviders.contains(provider), let refusal = policy.refusal(of: provider) else { return }
        throw refusal
    }
}

extension AuthPolicy {
    /// The refusal of a provider that is disabled; nil for one that is enabled.
    func refusal(of provider: ProviderID) -> Refusal? {
        guard disabledProviders.contains(provider) else { return nil }
        let code = provider == .anonymous ? AuthErrorCode.adminRestrictedOperation : .operationNotAllowed
        return Refusal(code, .providerIsDisabled)
    }
}
