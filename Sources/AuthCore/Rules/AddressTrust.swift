extension AuthPolicy {
    /// What the provider's word about its address is worth.
    package func word(of assertion: ProviderAssertion) -> AddressWord {
        assertion.isEmailVerified == true ? .checked : .claimed
    }

    /// From which worth on a provider's word proves an address.
    package var provingWord: AddressWord { .checked }
}

extension Account {
    /// Whether the primary address counts as verified: derived from evidence, never stored.
    package func isEmailVerified(under policy: AuthPolicy) -> Bool {
        provesEmail(by: policy.provingWord)
    }
}
