#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies the credentials of one provider.
///
/// Conform to it to connect a provider: check signature, issuer, audience, expiry and nonce, then return an assertion.
/// Throw to refuse the credential; the error becomes the cause of the `AuthError`. The verifier must contain everything
/// it needs, such as a network client.
public protocol CredentialVerifier: Sendable {
    /// The provider whose credentials are verified.
    var provider: ProviderID { get }

    /// Verifies the credential and returns what it asserts, or throws.
    func verify(_ credential: AuthCredential.Federated, in context: VerificationContext) async throws
        -> ProviderAssertion
}

/// What a verifier can know about the request.
public struct VerificationContext: Sendable, Hashable {
    /// The service's current time.
    public let now: Date
    /// The browser or app installation that the request comes from, if known.
    public let device: DeviceID?
    /// The network address that the request comes from, if known.
    public let address: String?

    /// Creates a context at this time.
    public init(now: Date, device: DeviceID? = nil, address: String? = nil) {
        self.now = now
        self.device = device
        self.address = address
    }
}
