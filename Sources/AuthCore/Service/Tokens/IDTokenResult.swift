public import AuthCoreFoundation

/// An ID token with its claims.
public struct IDTokenResult: Sendable, Hashable, Concealing {
    /// The token.
    public let token: String
    /// The time at which the person authenticated.
    public let authDate: Date
    /// The time at which the token was issued.
    public let issuedAtDate: Date
    /// The time at which the token expires.
    public let expirationDate: Date
    /// The provider by which its session was signed in.
    public let signInProvider: String
    /// The kind of second factor that was presented, if one was.
    public let signInSecondFactor: String?

    /// The claims in the token, read from it.
    public var claims: [String: ClaimValue] {
        CompactToken.parse(token).flatMap { ClaimValue(json: $0.payload) }?.objectValue ?? [:]
    }

    /// The account of the token, without the token itself.
    public var description: String { "IDTokenResult(\(claims["sub"]?.stringValue ?? "no subject"))" }
}

extension Session {
    /// The tokens of a client: a short-lived one to present, and a long-lived one that is exchanged for the next pair.
    public struct Tokens: Sendable, Concealing {
        /// The token to present with requests.
        public let idToken: IDTokenResult
        /// The token that is exchanged for the next pair; it can be used once.
        public let refreshToken: String

        /// The account of the tokens, without the tokens themselves.
        public var description: String { "Session.Tokens(\(idToken))" }
    }
}
