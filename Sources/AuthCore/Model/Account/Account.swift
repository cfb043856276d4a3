/// The stored data of one account.
///
/// Apps read it through `User`; a store keeps it as it is.
public struct Account: Sendable, Hashable, Codable {
    /// The ID of the account.
    public let id: AccountID
    /// The number of writes; a commit names the version that it was decided on.
    public package(set) var version: UInt64 = 0
    /// A counter that is raised to end all sessions except the acting one.
    public internal(set) var sessionGeneration: UInt32 = 0
    /// The generation number of the next method or factor.
    public package(set) var nextGeneration: UInt32 = 0
    /// When the account was created.
    public let createdAt: Timestamp
    /// Whether it has no method and no address, so that only its session gives access.
    public package(set) var isAnonymous = false
    /// Whether an administrator disabled it.
    public package(set) var isDisabled = false
    /// Whether anything about it was ever verified; once true, always true.
    public package(set) var wasEverVerified = false
    /// Whether a custom token signed by the app's own server may sign in to it.
    public internal(set) var acceptsCustomTokens = false
    /// Whether it was created by a concealed sign-up and its address is not verified yet.
    public internal(set) var isProvisional = false
    /// The primary address.
    public package(set) var email: EmailAddress?
    /// Whether the address belongs to this account only; if false, other accounts may use it.
    public package(set) var reservesEmail = false
    /// The address from before the first change, to which it can be recovered.
    public internal(set) var firstEmail: EmailAddress?
    /// The display name.
    public package(set) var displayName: String?
    /// The URL of the profile picture.
    public package(set) var photoURL: String?
    /// The claims that administrators set, for the account's tokens.
    public package(set) var customClaims: [String: ClaimValue] = [:]
    /// The sign-in methods, in the order they were added.
    public package(set) var methods: [SignInMethod] = []
    /// The second factors, in the order they were enrolled.
    public internal(set) var factors: [SecondFactor] = []
    /// The recovery codes, for use when all factors are lost.
    public internal(set) var recoveryCodes: [SecondFactor.RecoveryCode] = []
    /// The evidence for addresses and numbers.
    public package(set) var evidence: [Evidence] = []
    /// The issuers whose identities are not linked automatically.
    public internal(set) var blockedIssuers: [ExactText] = []
    /// Former addresses that other accounts cannot take yet.
    public internal(set) var reservations: [Reservation] = []
    /// The devices on which a sign-in was completed, at most ten, oldest first.
    package internal(set) var knownDevices: [DeviceKey] = []
    /// The lock of the pending merge, if there is one.
    public internal(set) var mergeLock: MergeLock?
    /// Until when a requested deletion can be canceled; nil if none was requested.
    public internal(set) var deletedUntil: Timestamp?
    /// When the service must look at the account though no person asks: a store finds it by this time.
    public package(set) var dueAt: Timestamp?

    package init(id: AccountID, createdAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
    }
}

extension Account {
    /// A former address that no other account can take before a date.
    public struct Reservation: Sendable, Hashable, Codable {
        /// The address.
        public let email: EmailAddress
        /// When it can be taken.
        public let until: Timestamp
    }

    /// A lock that keeps an account's methods unchanged while a merge or move is pending.
    public struct MergeLock: Sendable, Hashable, Codable {
        /// The intent that holds.
        public let intent: OneTimeRecordID
        /// When it lets go by itself.
        public let until: Timestamp
    }
}
