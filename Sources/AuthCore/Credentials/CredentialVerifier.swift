#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Checks one provider's credentials and says what they prove.
///
/// Conform to it to connect a provider: check signature, issuer, audience, expiry and nonce, then return an assertion.
/// Throw to refuse; the error is kept as the cause of the `AuthError` that the caller gets. Whatever the verifier needs,
/// a network client say, it brings along.
public protocol CredentialVerifier: Sendable {
    /// The provider whose credentials it checks.
    var provider: ProviderID { get }

    /// Checks the credential and says what it proves, or throws.
    func verify(_ credential: FederatedCredential, in context: VerificationContext) async throws -> ProviderAssertion
}

/// What a verifier may need to know about the request.
public struct VerificationContext: Sendable, Hashable {
    /// The service's time.
    public let now: Date
    /// The browser or app installation that the request comes from, where the service knows one.
    public let device: DeviceID?
    /// The network address that the request comes from, where the caller stated it.
    public let address: String?

    /// Creates a context at this time.
    public init(now: Date, device: DeviceID? = nil, address: String? = nil) {
        self.now = now
        self.device = device
        self.address = address
    }
}

/// The usual grounds on which a verifier refuses; a verifier may throw errors of its own instead.
public enum VerificationFailure: Error, Sendable, Hashable {
    /// The credential lacks the token that the provider needs.
    case missingToken
    /// The token is not of the provider's form.
    case malformed
    /// The signature is not the provider's.
    case wrongSignature
    /// The token was issued by somebody else.
    case wrongIssuer
    /// The token was issued for another app.
    case wrongAudience
    /// The token's time ran out, or has not come.
    case expired
    /// The nonce is missing, or is not the one that the token names.
    case wrongNonce
    /// The provider could not be asked.
    case unreachable
}
