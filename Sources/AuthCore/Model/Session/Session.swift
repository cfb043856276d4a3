/// The ID of a session.
public struct SessionID: RandomIdentifier {
    /// The bits of the ID.
    public let words: IdentifierWords

    /// Creates the ID with these bits.
    public init(words: IdentifierWords) { self.words = words }
}

extension Session {
    /// What a session is based on: one method in one generation.
    public struct Basis: Sendable, Hashable {
        /// The provider under which the method is listed.
        public let provider: ProviderID
        /// The method's generation; nil if there is no method, as for anonymous and custom-token sessions, or if a
        /// mailed link reauthenticated the person of an account that has no such method.
        public let generation: UInt32?
        /// The kind of method.
        public let kind: MethodKind

        /// Creates a basis with these values.
        public init(kind: MethodKind, provider: ProviderID, generation: UInt32?) {
            self.kind = kind
            self.provider = provider
            self.generation = generation
        }

        /// Creates a session's basis from the method that was used.
        public init(_ method: borrowing SignInMethod) {
            self.init(kind: method.kind.methodKind, provider: method.kind.provider, generation: method.generation)
        }

        package static let anonymous = Basis(kind: .anonymous, provider: .anonymous, generation: nil)
        static let customToken = Basis(kind: .customToken, provider: .custom, generation: nil)
    }
}

/// One sign-in, as a stored row.
///
/// It is valid while the row exists and has not expired, and the session generations of account and row are equal. If
/// the policy ends sessions with their method, the method that it is based on must also still exist in its generation
/// and not be disabled.
public struct Session: Sendable, Hashable {
    /// The ID of the session.
    public let id: SessionID
    /// The account that is signed in to.
    public let account: AccountID
    /// What the session is based on.
    public var basis: Basis
    /// Every other method that was used in the session, for coverage.
    public var used: [Basis] = []
    /// The addresses and numbers that were verified in the session, each with the time of the last verification, for
    /// coverage.
    public var verified: [Evidence.Verification] = []
    /// The address that was verified at the session's request, by a link opened elsewhere; that covers no method.
    public var verifiedOnRequest: Evidence.Verification?
    /// The second factor that was presented, if any.
    public var factor: SecondFactor.Use?
    /// When it began.
    public let createdAt: Timestamp
    /// When the person last authenticated.
    public var authenticatedAt: Timestamp
    /// When it was last used, to within an hour, or a tenth of the time that it may be unused if that is shorter.
    public var activeAt: Timestamp
    /// When the session expires unless it is used before; nil if the policy sets no limit.
    public var expiresAt: Timestamp?
    // The small members stand together, so that a row has no gaps.

    /// The account's session generation when the session was created or last updated.
    public var sessionGeneration: UInt32
    /// The number of its refresh tokens when privileges were last changed through it; tokens from before are not
    /// accepted.
    public var rotation: UInt32 = 0
    /// How often the refresh token was replaced.
    public var refreshCount: UInt32 = 0
    /// The refresh token that a change of privileges replaced last, by its number; 0 before the first.
    public var voidedCount: UInt32 = 0
    /// The device that signed in.
    public let device: DeviceKey?
    /// An opaque text about where the request came from.
    public let origin: String?
    /// The device's name, for the person's list of sessions.
    public let deviceName: String?
    /// The hash of the refresh token that was issued last.
    package var refreshHash: [UInt8]?
    /// Claims that the sign-in added for this session only.
    public var claims: [String: ClaimValue] = [:]
}

extension Session {
    /// Creates the session of a sign-in at this time.
    public init(
        id: SessionID,
        account: AccountID,
        sessionGeneration: UInt32,
        basis: Basis,
        at now: Timestamp,
        device: DeviceKey?,
        origin: String?,
        deviceName: String?,
        refreshHash: [UInt8]? = nil
    ) {
        self.init(
            id: id,
            account: account,
            basis: basis,
            createdAt: now,
            authenticatedAt: now,
            activeAt: now,
            sessionGeneration: sessionGeneration,
            device: device,
            origin: origin,
            deviceName: deviceName,
            refreshHash: refreshHash
        )
    }

    /// When the person last logged in: a custom token may state a login from long before the session began.
    var loginAt: Timestamp { max(createdAt, authenticatedAt) }
}

extension SecondFactor {
    /// The use of a second factor: which, and when.
    public struct Use: Sendable, Hashable, Codable {
        /// The factor, or nil for a recovery code.
        public let factor: ID?
        /// The kind of factor.
        public let kind: FactorKind
        /// When it was presented.
        public let at: Timestamp

        /// Creates a use with these values.
        public init(factor: ID?, kind: FactorKind, at: Timestamp) {
            self.factor = factor
            self.kind = kind
            self.at = at
        }
    }
}
