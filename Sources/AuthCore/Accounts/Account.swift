/// What the store holds for one person.
///
/// Users of the library see it through `User`; a store keeps it as it is.
public struct Account: Sendable, Hashable {
    // Always one element. An array, since it is what the language lets one share between copies and still change in
    // place: an account is handed on far oftener than it is changed, and then in several fields at once.
    private var storage: [Storage]

    package init(id: AccountID, createdAt: Timestamp) { storage = [Storage(id: id, createdAt: createdAt)] }
}

/// What an account holds; the order leaves no gaps.
private struct Storage: Sendable, Hashable {
    let id: AccountID
    var version: UInt64 = 0
    var epoch: UInt32 = 0
    var nextGeneration: UInt32 = 0
    let createdAt: Timestamp
    var email: EmailAddress?
    var displayName: String?
    var methods: [Method] = []
    var evidence: [Evidence] = []
    /// What few accounts have; nil where this one has none of it.
    var rare: Boxed<Rare>?
    var isAnonymous = false
    var isDisabled = false
    var wasEverProven = false
    var acceptsCustomTokens = false
    var isProvisional = false
    var reservesEmail = false

    init(id: AccountID, createdAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
    }
}

extension Account {
    /// The account's name.
    public var id: AccountID { storage[0].id }

    /// Counts the writes of this value; a commit names the version it decided on.
    public package(set) var version: UInt64 {
        get { storage[0].version }
        set { storage[0].version = newValue }
    }

    /// Counts the moments at which all sessions but the acting one ended.
    public package(set) var epoch: UInt32 {
        get { storage[0].epoch }
        set { storage[0].epoch = newValue }
    }

    /// The number that the next method or factor gets.
    public package(set) var nextGeneration: UInt32 {
        get { storage[0].nextGeneration }
        set { storage[0].nextGeneration = newValue }
    }

    /// When the account was made.
    public var createdAt: Timestamp { storage[0].createdAt }

    /// Whether nothing but a seat holds it.
    public package(set) var isAnonymous: Bool {
        get { storage[0].isAnonymous }
        set { storage[0].isAnonymous = newValue }
    }

    /// Whether an administrator shut it.
    public package(set) var isDisabled: Bool {
        get { storage[0].isDisabled }
        set { storage[0].isDisabled = newValue }
    }

    /// Whether anything about it was ever proved; once true, always true.
    public package(set) var wasEverProven: Bool {
        get { storage[0].wasEverProven }
        set { storage[0].wasEverProven = newValue }
    }

    /// Whether a token signed by the app's own server may open it.
    public package(set) var acceptsCustomTokens: Bool {
        get { storage[0].acceptsCustomTokens }
        set { storage[0].acceptsCustomTokens = newValue }
    }

    /// Whether it was made under concealment and its address is not proved yet.
    public package(set) var isProvisional: Bool {
        get { storage[0].isProvisional }
        set { storage[0].isProvisional = newValue }
    }

    /// The primary address.
    public package(set) var email: EmailAddress? {
        get { storage[0].email }
        set { storage[0].email = newValue }
    }

    /// Whether the address is this account's alone, or merely shown.
    public package(set) var reservesEmail: Bool {
        get { storage[0].reservesEmail }
        set { storage[0].reservesEmail = newValue }
    }

    /// The name shown to others.
    public package(set) var displayName: String? {
        get { storage[0].displayName }
        set { storage[0].displayName = newValue }
    }

    // Both are changed where they are, since a setter would copy the array for each method or piece.

    /// The ways in, in the order they were added.
    public package(set) var methods: [Method] {
        get { storage[0].methods }
        _modify { yield &storage[0].methods }
    }

    /// Who vouched for what.
    public package(set) var evidence: [Evidence] {
        get { storage[0].evidence }
        _modify { yield &storage[0].evidence }
    }

    private var rare: Boxed<Rare>? {
        get { storage[0].rare }
        set { storage[0].rare = newValue }
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
    var deletedUntil: Timestamp?

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
    public package(set) var deletedUntil: Timestamp? {
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
    public let until: Timestamp

    package init(email: EmailAddress, until: Timestamp) {
        self.email = email
        self.until = until
    }
}

/// That a pending merge or move keeps an account's methods as they are.
public struct Hold: Sendable, Hashable, Codable {
    /// The intent that holds.
    public let intent: CapabilityKey
    /// When it lets go by itself.
    public let until: Timestamp

    package init(intent: CapabilityKey, until: Timestamp) {
        self.intent = intent
        self.until = until
    }
}
