/// What a person presents to sign in: a password, a mailed link, a provider's token, a code.
///
/// A credential is a plain value; printing or dumping it never shows what is secret in it.
///
/// ```swift
/// func signIn(_ auth: Auth, token: String, email: String, password: String) async throws {
///     try await auth.signIn(with: .gitHub(accessToken: token))
///     try await auth.signIn(with: .password(email: email, password: password))
/// }
/// ```
public struct AuthCredential: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// What is presented, for the verifiers.
    package enum Content: Sendable, Hashable {
        case password(email: String, password: Secret)
        case emailLink(email: String, link: Secret)
        case phone(verificationID: String, code: Secret)
        case federated(FederatedCredential)
        case customToken(Secret)
        case anonymous
        case pending(PendingCredential)
    }

    package let content: Content

    init(_ content: Content) { self.content = content }

    /// The provider that the credential belongs to.
    public var provider: ProviderID {
        switch content {
        case .password, .emailLink: .password
        case .phone: .phone
        case .federated(let federated): federated.provider
        case .customToken: .custom
        case .anonymous: .anonymous
        case .pending(let pending): pending.provider
        }
    }

    /// The provider's id, and nothing that was presented.
    public var description: String { "AuthCredential(\(provider))" }

    /// The provider's id, and nothing that was presented.
    public var debugDescription: String { description }

    /// A mirror that shows the provider only.
    public var customMirror: Mirror { Mirror(self, children: ["provider": provider.rawValue]) }
}

/// What a federated provider gave the app, for the verifier of that provider.
public struct FederatedCredential: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The provider.
    public let provider: ProviderID
    /// The provider's signed statement about the person.
    public var idToken: Secret?
    /// A token for the provider's own interfaces.
    public var accessToken: Secret?
    /// The second half of an OAuth 1 token.
    public var tokenSecret: Secret?
    /// A code that the provider exchanges once for tokens.
    public var authorizationCode: Secret?
    /// The nonce whose hash the statement must carry.
    public var rawNonce: Secret?
    /// The name that Apple hands to the app only at the first sign-in.
    public var fullName: String?

    /// A credential of this provider, with nothing in it yet.
    public init(provider: ProviderID) { self.provider = provider }

    /// The provider's id, and nothing that was presented.
    public var description: String { "FederatedCredential(\(provider))" }

    /// The provider's id, and nothing that was presented.
    public var debugDescription: String { description }

    /// A mirror that shows the provider only.
    public var customMirror: Mirror { Mirror(self, children: ["provider": provider.rawValue]) }
}
