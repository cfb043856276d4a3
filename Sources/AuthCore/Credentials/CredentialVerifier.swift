public import AuthCoreFoundation

/// Verifies the credentials of one provider.
///
/// Conform to it to connect a provider: check signature, issuer, audience, expiry and nonce, then return an assertion.
/// The verifier must contain everything it needs, such as a network client.
///
/// ```swift
/// struct ForgeVerifier: CredentialVerifier {
///     let provider: ProviderID = "forge.example"
///     let client: ForgeClient
///
///     func verify(
///         _ credential: AuthCredential.Federated,
///         in context: VerificationContext
///     ) async throws -> ProviderAssertion {
///         guard let token = credential.accessToken else { throw VerificationFailure.missingToken }
///         let person = try await client.person(token.revealed)
///         var assertion = ProviderAssertion(provider: provider, subject: person.id)
///         assertion.email = person.email
///         assertion.isEmailVerified = person.hasConfirmedEmail
///         assertion.displayName = person.name
///         return assertion
///     }
/// }
/// ```
public protocol CredentialVerifier: Sendable {
    /// The provider whose credentials are verified.
    var provider: ProviderID { get }

    /// The issuers that the verifier speaks for; an assertion of another issuer is refused.
    ///
    /// By default, only the provider's ID. `{tenantid}` stands for one tenant's name, of letters, digits and hyphens,
    /// as in `https://login.microsoftonline.com/{tenantid}/v2.0`.
    var issuers: Set<String> { get }

    /// The domains whose mailboxes an issuer of this provider runs, in addition to what the policy says; by default
    /// none.
    var pinnedDomains: [String: Set<String>] { get }

    /// Verifies the credential and returns what it asserts, or throws to refuse it.
    ///
    /// - Parameters:
    ///   - credential: What the person presents.
    ///   - context: What is known about the request.
    /// - Returns: What the provider asserts about the person.
    /// - Throws: Any error. It becomes the cause of ``AuthErrorCode/invalidCredential``, except for these: a
    ///   ``VerificationFailure`` of the kind `unreachable` becomes ``AuthErrorCode/networkError``, `wrongNonce`
    ///   ``AuthErrorCode/missingOrInvalidNonce``, `misconfigured` ``AuthErrorCode/internalError``, and a
    ///   `CancellationError` ``AuthErrorCode/canceled``. An ``AuthError`` is thrown as it is, unless its code says
    ///   that a session is over.
    func verify(_ credential: AuthCredential.Federated, in context: VerificationContext) async throws
        -> ProviderAssertion
}

extension CredentialVerifier {
    /// No domains.
    public var pinnedDomains: [String: Set<String>] { [:] }

    /// The provider's ID.
    public var issuers: Set<String> { [provider.rawValue] }

    /// Whether the verifier declares the issuer.
    func speaks(for issuer: String) -> Bool {
        issuers.contains { $0.utf8.elementsEqual(issuer.utf8) || $0.isIssuerTemplate(of: issuer) }
    }
}

extension String {
    private static let tenant = "{tenantid}"

    /// Whether the issuer is this text with a tenant's name in its place.
    fileprivate func isIssuerTemplate(of issuer: String) -> Bool {
        guard let place = firstRange(of: Self.tenant) else { return false }
        let (before, after) = (self[..<place.lowerBound].utf8, self[place.upperBound...].utf8)
        let (letters, digits) = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
        let name = issuer.utf8.dropFirst(before.count).dropLast(after.count)
        return issuer.utf8.starts(with: before) && issuer.utf8.count > before.count + after.count
            && issuer.utf8.suffix(after.count).elementsEqual(after)
            && name.allSatisfy { byte in
                letters.contains(byte | 0x20) || digits.contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}

/// What a verifier can know about the request.
public struct VerificationContext: Sendable, Hashable {
    /// The service's current time.
    public let now: Date
    /// The browser or app installation that the request comes from, if known.
    public let device: DeviceKey?
    /// The network address that the request comes from, if known.
    public let address: String?

    /// Creates a context at this time.
    public init(now: Date, device: DeviceKey? = nil, address: String? = nil) {
        self.now = now
        self.device = device
        self.address = address
    }
}
