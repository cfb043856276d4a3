/// What a person presents to sign in: a password, a sign-in link, a provider's token, a code.
///
/// A credential is a plain value; printing or dumping it never displays its secrets.
///
/// ```swift
/// func signIn(_ auth: Auth, token: String, email: String, password: String) async throws {
///     try await auth.signIn(with: .gitHub(accessToken: token))
///     try await auth.signIn(with: .password(email: email, password: password))
/// }
/// ```
public struct AuthCredential: Sendable, Hashable, Concealing {
    /// What the person presents, for the verifiers.
    package enum Content: Sendable, Hashable {
        case password(email: String, password: Secret)
        case emailLink(email: String, link: Secret)
        case phone(verificationID: String, code: Secret)
        case federated(AuthCredential.Federated)
        case customToken(Secret)
        case anonymous
        case pending(Conflict.PendingCredential)
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

    /// The provider's ID, without the credential's contents.
    public var description: String { "AuthCredential(\(provider))" }
}

extension AuthCredential {
    /// The tokens from a federated provider, for the verifier of that provider.
    public struct Federated: Sendable, Hashable, Concealing {
        /// The provider.
        public let provider: ProviderID
        /// The provider's ID token.
        public var idToken: Secret?
        /// A token for the provider's APIs.
        public var accessToken: Secret?
        /// The token secret, for OAuth 1.
        public var tokenSecret: Secret?
        /// A code that can be exchanged once for the provider's tokens.
        public var authorizationCode: Secret?
        /// The verifier of PKCE with which the code was requested.
        public var codeVerifier: Secret?
        /// The redirect URI with which the code was requested.
        public var redirectURI: String?
        /// The nonce as it was made; the ID token must have it or its hash.
        public var nonce: Secret?
        /// The name that Apple supplies to the app only at the first sign-in.
        public var fullName: String?
        /// Whether the provider gave the tokens to the service itself, for a code.
        package var isExchanged = false

        /// Creates an empty credential of this provider.
        public init(provider: ProviderID) { self.provider = provider }

        /// The provider's ID, without the credential's contents.
        public var description: String { "AuthCredential.Federated(\(provider))" }
    }
}
