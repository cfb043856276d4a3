/// Why a verifier refuses a credential; a verifier can throw other errors instead.
public struct VerificationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found to be wrong.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The credential lacks the token that the provider needs.
        case missingToken
        /// The token does not have the provider's format.
        case malformed
        /// The token is signed with an algorithm that is not accepted.
        case wrongAlgorithm
        /// The provider has no usable key for the token.
        case wrongKey
        /// The signature is not valid for the provider.
        case wrongSignature
        /// The token has another issuer.
        case wrongIssuer
        /// The token was issued for another app.
        case wrongAudience
        /// The token was issued at the request of another app.
        case wrongAuthorizedParty
        /// The token has no usable subject.
        case wrongSubject
        /// The token has expired.
        case expired
        /// The token is not valid yet.
        case notYetValid
        /// The nonce is missing, or does not match the token.
        case wrongNonce
        /// The ID token belongs to another access token.
        case wrongAccessToken
        /// The provider does not accept the token or the code.
        case rejected
        /// The provider could not be reached, or did not answer as it should.
        case unreachable
        /// The verifier cannot work as it is configured.
        case misconfigured
    }

    /// What was found to be wrong.
    public let kind: Kind
    /// What was expected, in a sentence without anything secret; nil if the kind says it all.
    public let detail: String?
    /// When it makes sense to try again, if that is known.
    public let retryAfter: Duration?

    /// Creates a failure of this kind.
    ///
    /// - Parameters:
    ///   - kind: What was found to be wrong.
    ///   - detail: What was expected, in a sentence without anything secret.
    ///   - retryAfter: When it makes sense to try again.
    public init(_ kind: Kind, _ detail: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// The kind, and what was expected.
    public var description: String { detail.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue }
}

extension VerificationFailure {
    /// The credential lacks the token that the provider needs.
    public static let missingToken = VerificationFailure(.missingToken)
    /// The token does not have the provider's format.
    public static let malformed = VerificationFailure(.malformed)
    /// The signature is not valid for the provider.
    public static let wrongSignature = VerificationFailure(.wrongSignature)
    /// The token has another issuer.
    public static let wrongIssuer = VerificationFailure(.wrongIssuer)
    /// The token was issued for another app.
    public static let wrongAudience = VerificationFailure(.wrongAudience)
    /// The token has expired.
    public static let expired = VerificationFailure(.expired)
    /// The nonce is missing, or does not match the token.
    public static let wrongNonce = VerificationFailure(.wrongNonce)
    /// The provider could not be reached.
    public static let unreachable = VerificationFailure(.unreachable)
}
