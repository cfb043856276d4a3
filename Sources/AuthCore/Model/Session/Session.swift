/// Names a session.
public struct SessionID: RandomIdentifier {
    /// The bits themselves.
    public let words: IdentifierWords

    /// Makes the identifier with these bits.
    public init(words: IdentifierWords) { self.words = words }
}

/// Where a sign-in happens: an `Auth`, or whatever key a server holds for a browser or device.
public struct DeviceID: Sendable, Hashable, Codable, LosslessStringConvertible, ExpressibleByStringLiteral {
    /// The key.
    package let text: String

    /// The seat with this key; on a server, something only that browser or device can present.
    public init(_ text: String) { self.text = text }

    /// The seat with this key.
    public init(stringLiteral value: String) { self.init(value) }

    /// The key.
    public var description: String { text }
}

/// What a session rests on: one method in one generation.
public struct SessionBasis: Sendable, Hashable, Codable {
    /// The provider under which the method is listed.
    public let provider: ProviderID
    /// The method's generation; nil where there is no method, as for anonymous and custom-token sessions.
    public let generation: UInt32?
    /// The kind of method.
    public let kind: MethodKind

    package init(kind: MethodKind, provider: ProviderID, generation: UInt32?) {
        self.kind = kind
        self.provider = provider
        self.generation = generation
    }

    package init(_ method: SignInMethod) {
        self.init(kind: method.kind.methodKind, provider: method.kind.provider, generation: method.generation)
    }

    package static let anonymous = SessionBasis(kind: .anonymous, provider: .anonymous, generation: nil)
    static let customToken = SessionBasis(kind: .customToken, provider: .custom, generation: nil)
}

/// One sign-in, as a row.
///
/// It is valid while the row lives, the account's epoch is the row's, and the method it rests on still exists in its generation.
public struct Session: Sendable, Hashable, Codable {
    /// The session's name.
    public let id: SessionID
    /// Whose session it is.
    public let account: AccountID
    /// The account's epoch when the session was made or last re-stamped.
    public internal(set) var sessionGeneration: UInt32
    /// What it rests on.
    public internal(set) var basis: SessionBasis
    /// Every method that was used in it, for coverage.
    public internal(set) var used: [SessionBasis] = []
    /// The addresses and numbers that were proved in it, for coverage.
    public internal(set) var proved: [Evidence.Subject] = []
    /// The factor that was shown, if any.
    public internal(set) var factor: FactorUse?
    /// When it began.
    public let createdAt: Timestamp
    /// When its person last proved who they are.
    public internal(set) var authenticatedAt: Timestamp
    /// Until when it lasts without a new sign-in, if the policy says so.
    public package(set) var expiresAt: Timestamp?
    /// Whether it came from a recovery and must pass a factor before it may change methods.
    public internal(set) var isRecovery = false
    /// Where it was made.
    public let device: DeviceID?
    /// An opaque word about where the request came from.
    public let origin: String?
    /// A name of the device, for the person's own list.
    public let deviceName: String?
    /// The hash of the refresh token that is good now.
    package var refreshHash: [UInt8]?
    /// How often the refresh token was exchanged.
    public package(set) var refreshCount: UInt32 = 0
    /// Claims that the sign-in added for this session only.
    public package(set) var claims: [String: ClaimValue] = [:]

    package init(
        id: SessionID,
        account: AccountID,
        sessionGeneration: UInt32,
        basis: SessionBasis,
        at now: Timestamp,
        device: DeviceID?,
        origin: String?,
        deviceName: String?
    ) {
        self.id = id
        self.account = account
        self.sessionGeneration = sessionGeneration
        self.basis = basis
        createdAt = now
        authenticatedAt = now
        self.device = device
        self.origin = origin
        self.deviceName = deviceName
    }
}

/// That a factor was shown, which, and when.
public struct FactorUse: Sendable, Hashable, Codable {
    /// The factor, or nil for a recovery code.
    public let factor: FactorID?
    /// The kind of factor.
    public let kind: FactorKind
    /// When it was shown.
    public let at: Timestamp

    package init(factor: FactorID?, kind: FactorKind, at: Timestamp) {
        self.factor = factor
        self.kind = kind
        self.at = at
    }
}
