/// What a provider says about the address that it states.
public enum AddressClaim: Sendable, Hashable, CaseIterable {
    /// The provider confirmed the address.
    case verified
    /// The provider did not confirm the address.
    case unverified
    /// Nothing goes wrong.
    case silent
}
