public import AuthCore
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AuthCredential {
    /// The credential that the simulated provider of this name would give an app for this person at this time.
    ///
    /// `AuthProviders.simulated` accepts it. So does every `SimulatedProvider` that was made with the same name and no
    /// other arguments.
    public static func simulated(
        _ provider: ProviderID,
        _ person: SimulatedPerson,
        saying content: SimulatedToken = SimulatedToken(),
        at now: Date = Date()
    ) -> AuthCredential {
        SimulatedProvider(provider).credential(for: person, saying: content, at: now)
    }
}
