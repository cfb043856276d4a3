/// What a provider says about the address that it states.
public enum AddressClaim: Sendable, Hashable, CaseIterable {
    /// The provider confirmed the address.
    case verified
    /// The provider did not confirm the address.
    case unverified
    /// The provider confirmed the address once and sends no verified flag, as GitHub does.
    case confirmed
    /// The provider says nothing about the address.
    case silent
}
