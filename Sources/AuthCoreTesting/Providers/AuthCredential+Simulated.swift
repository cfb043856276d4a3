public import AuthCore
public import AuthCoreFoundation

extension AuthCredential {
    /// The credential that the simulated provider of this name would give an app for this person.
    ///
    /// `AuthProviders.simulated` accepts it if it knows the provider. So does every `SimulatedProvider` that was made
    /// with the same name and no other arguments.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - person: The person.
    ///   - content: What the token says, where it differs from the real provider.
    ///   - now: When the token is issued; nil for the moment at which the service verifies it, by the service's clock.
    /// - Returns: The credential.
    public static func simulated(
        _ provider: ProviderID,
        _ person: SimulatedPerson,
        saying content: SimulatedToken = SimulatedToken(),
        at now: Date? = nil
    ) -> AuthCredential {
        SimulatedProvider(provider).credential(for: person, saying: content, at: now)
    }
}
