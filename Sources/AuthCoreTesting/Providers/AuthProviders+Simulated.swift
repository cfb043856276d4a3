public import AuthCore

extension AuthProviders {
    /// Simulated Google, Apple, Facebook, GitHub, Twitter and Microsoft.
    public static var simulated: AuthProviders { simulated(and: []) }

    /// The simulated providers, and in addition a generic one for each of these IDs.
    public static func simulated(and others: [ProviderID]) -> AuthProviders {
        let known: [ProviderID] = [.google, .apple, .facebook, .gitHub, .twitter, .microsoft]
        return AuthProviders((known + others).map { SimulatedProvider($0) })
    }
}
