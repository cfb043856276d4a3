/// What the store holds for one person.
///
/// Users of the library see it through `User`; a store keeps it as it is.
public struct Account: Sendable, Hashable, Codable {
    /// The account's name.
    public let id: AccountID
    /// Counts the writes of this value; a commit names the version it decided on.
    public internal(set) var version: UInt64 = 0
    /// Counts the moments at which all sessions but the acting one ended.
    public internal(set) var sessionGeneration: UInt32 = 0
    /// The number that the next method or factor gets.
    public package(set) var nextGeneration: UInt32 = 0
    /// When the account was made.
    public let createdAt: Timestamp
    /// Whether it has no method and no address, and only a session opens it.
    public package(set) var isAnonymous = false
    /// Whether an administrator disabled it.
    public package(set) var isDisabled = false
    /// Whether anything about it was ever verified; once true, always true.
    public package(set) var wasEverVerified = false
    /// Whether a token signed by the app's own server may open it.
    public internal(set) var acceptsCustomTokens = false
    /// Whether it was made under concealment and its address is not verified yet.
    public internal(set) var isProvisional = false
    /// The primary address.
    public package(set) var email: EmailAddress?
    /// Whether the address is this account's alone, or merely shown.
    public package(set) var reservesEmail = false
    /// The address from before the first change, to which it can be recovered.
    public internal(set) var firstEmail: EmailAddress?
    /// The name shown to others.
    public package(set) var displayName: String?
    /// The picture shown to others.
    public package(set) var photoURL: String?
    /// What administrators say about the account, for its tokens.
    public package(set) var customClaims: [String: ClaimValue] = [:]
    /// The sign-in methods, in the order they were added.
    public package(set) var methods: [SignInMethod] = []
    /// The second factors, in the order they were enrolled.
    public internal(set) var factors: [SecondFactor] = []
    /// The codes left for the day all factors are lost.
    public internal(set) var recoveryCodes: [RecoveryCode] = []
    /// Who vouched for what.
    public package(set) var evidence: [Evidence] = []
    /// Issuers that never join by themselves again.
    public internal(set) var blockedIssuers: [ExactText] = []
    /// Former addresses kept from others for a while.
    public internal(set) var reservations: [Reservation] = []
    /// The pending merge that locks the methods, if there is one.
    public internal(set) var hold: MergeLock?
    /// Until when a deletion can be taken back, if one was asked for.
    public internal(set) var deletedUntil: Timestamp?

    package init(id: AccountID, createdAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
    }
}

/// A former address that nobody else gets until a date.
public struct Reservation: Sendable, Hashable, Codable {
    /// The address.
    public let email: EmailAddress
    /// When it becomes free.
    public let until: Timestamp
}

/// That a pending merge or move keeps an account's methods as they are.
public struct MergeLock: Sendable, Hashable, Codable {
    /// The intent that holds.
    public let intent: OneTimeRecordID
    /// When it lets go by itself.
    public let until: Timestamp
}
