/// The stored data of one account.
///
/// A store keeps it as it is. An app reads the account of its user through ``User``, an operator any account by
/// ``AuthService/account(_:)``. It holds hashes and sealed seeds, which printing it does not show: never encode it
/// for a client.
public struct Account: Sendable, Hashable {
    // What every decision reads stands first, so that it is in few lines of the processor's cache.

    /// The ID of the account.
    public let id: AccountID
    /// The number of writes; a commit names the version that it was decided on.
    public var version: UInt64 = 0
    /// A counter that is raised to end all sessions except the acting one.
    public var sessionGeneration: UInt32 = 0
    /// The generation number of the next method or factor.
    public var nextGeneration: UInt32 = 0
    /// Until when a requested deletion can be canceled; nil if none was requested.
    public var deletedUntil: Timestamp?
    // The flags stand after a member with room behind it, so that a row has no gaps.

    /// Whether it is a guest's: made without a credential, and nothing to sign in by was added since.
    ///
    /// A password needs an address. Only its session gives access.
    public var isAnonymous = false
    /// Whether an administrator disabled it.
    public var isDisabled = false
    /// Whether anything about it was ever verified; once true, always true.
    public var wasEverVerified = false
    /// Whether a custom token signed by the app's own server may sign in to it.
    public var acceptsCustomTokens = false
    /// Whether it was created by a concealed sign-up and its address is not verified yet.
    public var isProvisional = false
    /// Whether the address belongs to this account only; if false, other accounts may use it.
    public var reservesEmail = false
    /// The sign-in methods, in the order they were added.
    public var methods: [SignInMethod] = []
    /// The evidence for addresses and numbers.
    public var evidence: [Evidence] = []
    /// Former addresses that other accounts cannot take yet.
    public var reservations: [Reservation] = []
    /// The second factors, in the order they were enrolled.
    public var factors: [SecondFactor] = []
    /// The devices on which a sign-in was completed or a new password was set by mail, at most ten, oldest first.
    package internal(set) var knownDevices: [DeviceKey]
    /// The recovery codes, for use when all factors are lost.
    public var recoveryCodes: [SecondFactor.RecoveryCode] = []
    /// The issuers whose identities are not linked automatically.
    public var blockedIssuers: [ExactText] = []
    /// The lock of the pending merge, if there is one.
    public var mergeLock: MergeLock?
    /// When the service must look at the account though no person asks: a store finds it by this time.
    public var dueAt: Timestamp?
    /// When the account was created.
    public internal(set) var createdAt: Timestamp
    /// The primary address.
    public var email: EmailAddress?
    /// When a custom token of the app's own server was last presented, to the day; nil if none ever was.
    public var customTokenAt: Timestamp?
    /// When the primary address was set; nil if the account was created with it.
    public var emailSetAt: Timestamp?
    /// The address from before the first change, to which it can be recovered.
    public var firstEmail: EmailAddress?
    /// The display name.
    public var displayName: String?
    /// The URL of the profile picture.
    public var photoURL: String?
    /// The claims that administrators set, for the account's tokens.
    public var customClaims: [String: ClaimValue] = [:]

    /// Creates an empty account that these devices have signed in to.
    public init(id: AccountID, createdAt: Timestamp, knownDevices: [DeviceKey] = []) {
        self.id = id
        self.createdAt = createdAt
        self.knownDevices = knownDevices
    }
}

extension Account {
    /// A former address that no other account can take before a date.
    public struct Reservation: Sendable, Hashable, Codable {
        /// The address.
        public let email: EmailAddress
        /// When it can be taken.
        public let until: Timestamp

        /// Creates a reservation with these values.
        public init(email: EmailAddress, until: Timestamp) {
            self.email = email
            self.until = until
        }
    }

    /// A lock that keeps an account's methods unchanged while a merge or move is pending.
    public struct MergeLock: Sendable, Hashable, Codable {
        /// The record of the merge or move.
        public let intent: OneTimeRecordID
        /// When the lock expires.
        public let until: Timestamp

        /// Creates a lock with these values.
        public init(intent: OneTimeRecordID, until: Timestamp) {
            self.intent = intent
            self.until = until
        }
    }
}
