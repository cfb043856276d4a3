#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the store holds for one person.
///
/// Users of the library see it through `User`; a store keeps it as it is.
public struct Account: Sendable, Hashable {
    /// The account's name.
    public let id: AccountID
    /// Counts the writes of this value; a commit names the version it decided on.
    public package(set) var version: UInt64
    /// Counts the moments at which all sessions but the acting one ended.
    public package(set) var epoch: UInt32
    /// The number that the next method or factor gets.
    public package(set) var nextGeneration: UInt32
    /// When the account was made.
    public let createdAt: Date
    /// Whether nothing but a seat holds it.
    public package(set) var isAnonymous: Bool
    /// Whether an administrator shut it.
    public package(set) var isDisabled: Bool
    /// Whether anything about it was ever proved; once true, always true.
    public package(set) var wasEverProven: Bool
    /// Whether a token signed by the app's own server may open it.
    public package(set) var acceptsCustomTokens: Bool
    /// Whether it was made under concealment and its address is not proved yet.
    public package(set) var isProvisional: Bool

    /// The primary address.
    public package(set) var email: EmailAddress?
    /// Whether the address is this account's alone, or merely shown.
    public package(set) var reservesEmail: Bool
    /// The name shown to others.
    public package(set) var displayName: String?
    /// The ways in, in the order they were added.
    public package(set) var methods: [Method]
    /// Who vouched for what.
    public package(set) var evidence: [Evidence]
    /// What few accounts have; nil where this one has none of it.
    private var rare: Boxed<Rare>?

    package init(id: AccountID, createdAt: Date) {
        self.id = id
        version = 0
        epoch = 0
        nextGeneration = 0
        self.createdAt = createdAt
        isAnonymous = false
        isDisabled = false
        wasEverProven = false
        acceptsCustomTokens = false
        isProvisional = false
        reservesEmail = false
        methods = []
        evidence = []
    }
}

/// The fields that most accounts leave empty; together they would be half of an account.
private struct Rare: Sendable, Hashable {
    var firstEmail: EmailAddress?
    var photoURL: String?
    var customClaims: [String: ClaimValue] = [:]
    var factors: [SecondFactor] = []
    var recoveryCodes: [RecoveryCode] = []
    var severedIssuers: [ExactText] = []
    var reservations: [Reservation] = []
    var hold: Hold?
    var deletedUntil: Date?

    var isEmpty: Bool {
        firstEmail == nil && photoURL == nil && customClaims.isEmpty && factors.isEmpty && recoveryCodes.isEmpty
            && severedIssuers.isEmpty && reservations.isEmpty && hold == nil && deletedUntil == nil
    }
}

extension Account {
    /// The address from before the first change, to which it can be recovered.
    public package(set) var firstEmail: EmailAddress? {
        get { rare?.value.firstEmail }
        set { if rare != nil || newValue != nil { editRare { $0.firstEmail = newValue } } }
    }

    /// The picture shown to others.
    public package(set) var photoURL: String? {
        get { rare?.value.photoURL }
        set { if rare != nil || newValue != nil { editRare { $0.photoURL = newValue } } }
    }

    /// What administrators say about the account, for its tokens.
    public package(set) var customClaims: [String: ClaimValue] {
        get { rare?.value.customClaims ?? [:] }
        set { if rare != nil || !newValue.isEmpty { editRare { $0.customClaims = newValue } } }
    }

    /// The second factors, in the order they were enrolled.
    public package(set) var factors: [SecondFactor] {
        get { rare?.value.factors ?? [] }
        set { if rare != nil || !newValue.isEmpty { editRare { $0.factors = newValue } } }
    }

    /// The codes left for the day all factors are lost.
    public package(set) var recoveryCodes: [RecoveryCode] {
        get { rare?.value.recoveryCodes ?? [] }
        set { if rare != nil || !newValue.isEmpty { editRare { $0.recoveryCodes = newValue } } }
    }

    /// Issuers that never join by themselves again.
    public package(set) var severedIssuers: [ExactText] {
        get { rare?.value.severedIssuers ?? [] }
        set { if rare != nil || !newValue.isEmpty { editRare { $0.severedIssuers = newValue } } }
    }

    /// Former addresses kept from others for a while.
    public package(set) var reservations: [Reservation] {
        get { rare?.value.reservations ?? [] }
        set { if rare != nil || !newValue.isEmpty { editRare { $0.reservations = newValue } } }
    }

    /// The pending merge that holds the methods still, if there is one.
    public package(set) var hold: Hold? {
        get { rare?.value.hold }
        set { if rare != nil || newValue != nil { editRare { $0.hold = newValue } } }
    }

    /// Until when a deletion can be taken back, if one was asked for.
    public package(set) var deletedUntil: Date? {
        get { rare?.value.deletedUntil }
        set { if rare != nil || newValue != nil { editRare { $0.deletedUntil = newValue } } }
    }

    private mutating func editRare(_ change: (inout Rare) -> Void) {
        var changed = rare?.value ?? Rare()
        change(&changed)
        // Nothing rare has one form only, or two equal accounts could differ.
        rare = changed.isEmpty ? nil : Boxed(changed)
    }
}

/// A former address that nobody else gets until a date.
public struct Reservation: Sendable, Hashable, Codable {
    /// The address.
    public let email: EmailAddress
    /// When it becomes free.
    public let until: Date

    package init(email: EmailAddress, until: Date) {
        self.email = email
        self.until = until
    }
}

/// That a pending merge or move keeps an account's methods as they are.
public struct Hold: Sendable, Hashable, Codable {
    /// The intent that holds.
    public let intent: CapabilityKey
    /// When it lets go by itself.
    public let until: Date

    package init(intent: CapabilityKey, until: Date) {
        self.intent = intent
        self.until = until
    }
}
