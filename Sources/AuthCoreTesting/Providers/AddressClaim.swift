/// What a provider says of the address that it gives.
public enum AddressClaim: Sendable, Hashable, CaseIterable {
    /// That it confirmed the address.
    case verified
    /// That it did not confirm the address.
    case unverified
    /// Nothing.
    case silent
}
