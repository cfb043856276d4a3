#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An ID token with what it says.
public struct IDTokenResult: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The token.
    public let token: String
    /// Everything it says.
    public let claims: [String: ClaimValue]
    /// When its person proved who they are.
    public let authDate: Date
    /// When it was issued.
    public let issuedAtDate: Date
    /// When it expires.
    public let expirationDate: Date
    /// The provider that its session rests on.
    public let signInProvider: String
    /// The kind of second factor that was shown, if one was.
    public let signInSecondFactor: String?

    /// Whose token it is, and not the token.
    public var description: String { "IDTokenResult(\(claims["sub"]?.stringValue ?? "nobody"))" }

    /// Whose token it is, and not the token.
    public var debugDescription: String { description }

    /// A mirror without the token.
    public var customMirror: Mirror { Mirror(self, children: ["expirationDate": expirationDate]) }
}

/// What a client needs to go on: a short token to show, and a long one to get the next.
public struct TokenPair: Sendable, CustomStringConvertible, CustomReflectable {
    /// The token to show.
    public let idToken: IDTokenResult
    /// The token that gets the next pair, once.
    public let refreshToken: String

    /// Whose tokens they are, and not the tokens.
    public var description: String { "TokenPair(\(idToken))" }

    /// A mirror without the tokens.
    public var customMirror: Mirror { Mirror(self, children: ["idToken": idToken]) }
}
