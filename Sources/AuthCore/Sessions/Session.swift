/// Names a session.
public struct SessionID: RandomIdentifier {
    /// The bits themselves.
    public let words: IdentifierWords

    /// Makes the identifier with these bits.
    public init(words: IdentifierWords) { self.words = words }
}

/// Where a sign-in happens: an `Auth`, or whatever key a server holds for a browser or device.
public struct SeatID: Sendable, Hashable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The key.
    public let text: String

    /// The seat with this key; on a server, something only that browser or device can present.
    public init(_ text: String) { self.text = text }

    /// The seat with this key.
    public init(stringLiteral value: String) { self.init(value) }

    /// The key.
    public var description: String { text }
}

/// What a session rests on: one method in one generation.
public struct SessionBasis: Sendable, Hashable, Codable {
    // In the order that leaves no gaps.

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

    package init(_ method: Method) {
        self.init(kind: method.kind.methodKind, provider: method.kind.provider, generation: method.generation)
    }

    package static let anonymous = SessionBasis(kind: .anonymous, provider: .anonymous, generation: nil)
    static let customToken = SessionBasis(kind: .customToken, provider: .custom, generation: nil)
}

/// One sign-in, as a row.
///
/// It is valid while the row lives, the account's epoch is the row's, and the method it rests on still exists in its generation.
public struct Session: Sendable, Hashable {
    /// Shared by all copies: a session is handed on far oftener than it is changed.
    private var fields: Boxed<Fields>

    package init(
        id: SessionID,
        account: AccountID,
        epoch: UInt32,
        basis: SessionBasis,
        at now: Timestamp,
        seat: SeatID?,
        origin: String?,
        device: String?
    ) {
        var fields = Fields(id: id, account: account, epoch: epoch, basis: basis, at: now)
        fields.locate(seat: seat, origin: origin, device: device)
        self.init(fields)
    }

    package init(_ fields: Fields) { self.fields = Boxed(fields) }

    /// Changes any number of fields at the cost of one copy.
    mutating func edit(_ change: (inout Fields) -> Void) {
        var changed = fields.value
        change(&changed)
        fields = Boxed(changed)
    }

    /// What a session holds; the order leaves few gaps.
    package struct Fields: Sendable, Hashable {
        let id: SessionID
        let account: AccountID
        let createdAt: Timestamp
        var authenticatedAt: Timestamp
        /// What few sessions have, or all only where an app says where they are; nil where this one has none of it.
        fileprivate var rare: Boxed<Rare>?
        var basis: SessionBasis
        var used = Several<SessionBasis>.none
        var proved = Several<Evidence.Subject>.none
        var epoch: UInt32

        package init(id: SessionID, account: AccountID, epoch: UInt32, basis: SessionBasis, at now: Timestamp) {
            self.id = id
            self.account = account
            self.epoch = epoch
            self.basis = basis
            createdAt = now
            authenticatedAt = now
        }
    }
}

/// The fields of which most sessions leave most empty; together they would be half of a session.
private struct Rare: Sendable, Hashable {
    var seat: SeatID?
    var origin: String?
    var device: String?
    var factor: FactorUse?
    var expiresAt: Timestamp?
    var isRecovery = false
    var refreshHash: [UInt8]?
    var refreshCount: UInt32 = 0
    var claims: [String: ClaimValue] = [:]
}

extension Session.Fields {
    /// Changes what few sessions have.
    private mutating func editRare(_ change: (inout Rare) -> Void) {
        var changed = rare?.value ?? Rare()
        change(&changed)
        // Nothing rare has one form only, or two equal sessions could differ.
        rare = changed == Rare() ? nil : Boxed(changed)
    }

    /// Says where the session was made.
    mutating func locate(seat: SeatID?, origin: String?, device: String?) {
        if seat == nil, origin == nil, device == nil { return }
        editRare { ($0.seat, $0.origin, $0.device) = (seat, origin, device) }
    }

    var factor: FactorUse? {
        get { rare?.value.factor }
        set { if rare != nil || newValue != nil { editRare { $0.factor = newValue } } }
    }

    var expiresAt: Timestamp? {
        get { rare?.value.expiresAt }
        set { if rare != nil || newValue != nil { editRare { $0.expiresAt = newValue } } }
    }

    var isRecovery: Bool {
        get { rare?.value.isRecovery ?? false }
        set { if rare != nil || newValue { editRare { $0.isRecovery = newValue } } }
    }

    var refreshHash: [UInt8]? {
        get { rare?.value.refreshHash }
        set { if rare != nil || newValue != nil { editRare { $0.refreshHash = newValue } } }
    }

    var refreshCount: UInt32 {
        get { rare?.value.refreshCount ?? 0 }
        set { if rare != nil || newValue != 0 { editRare { $0.refreshCount = newValue } } }
    }

    var claims: [String: ClaimValue] {
        get { rare?.value.claims ?? [:] }
        set { if rare != nil || !newValue.isEmpty { editRare { $0.claims = newValue } } }
    }

    fileprivate var seat: SeatID? { rare?.value.seat }
    fileprivate var origin: String? { rare?.value.origin }
    fileprivate var device: String? { rare?.value.device }
}

extension Session {
    /// The session's name.
    public var id: SessionID { fields.value.id }

    /// Whose session it is.
    public var account: AccountID { fields.value.account }

    /// The account's epoch when the session was made or last re-stamped.
    public package(set) var epoch: UInt32 {
        get { fields.value.epoch }
        set { edit { $0.epoch = newValue } }
    }

    /// What it rests on.
    public package(set) var basis: SessionBasis {
        get { fields.value.basis }
        set { edit { $0.basis = newValue } }
    }

    /// Every method that was used in it, for coverage.
    public package(set) var used: [SessionBasis] {
        get { fields.value.used.all }
        set { edit { $0.used = Several(newValue) } }
    }

    /// The addresses and numbers that were proved in it, for coverage.
    public package(set) var proved: [Evidence.Subject] {
        get { fields.value.proved.all }
        set { edit { $0.proved = Several(newValue) } }
    }

    /// The factor that was shown, if any.
    public package(set) var factor: FactorUse? {
        get { fields.value.factor }
        set { edit { $0.factor = newValue } }
    }

    /// The methods and the proofs without an array around them.
    var usage: (used: Several<SessionBasis>, proved: Several<Evidence.Subject>) {
        (fields.value.used, fields.value.proved)
    }

    /// When it began.
    public var createdAt: Timestamp { fields.value.createdAt }

    /// When its person last proved who they are.
    public package(set) var authenticatedAt: Timestamp {
        get { fields.value.authenticatedAt }
        set { edit { $0.authenticatedAt = newValue } }
    }

    /// Until when it lasts without a new sign-in, if the policy says so.
    public package(set) var expiresAt: Timestamp? {
        get { fields.value.expiresAt }
        set { edit { $0.expiresAt = newValue } }
    }

    /// Whether it came from a recovery and must pass a factor before it may change methods.
    public package(set) var isRecovery: Bool {
        get { fields.value.isRecovery }
        set { edit { $0.isRecovery = newValue } }
    }

    /// Where it was made.
    public var seat: SeatID? { fields.value.seat }

    /// An opaque word about where the request came from.
    public var origin: String? { fields.value.origin }

    /// A name of the device, for the person's own list.
    public var device: String? { fields.value.device }

    /// The hash of the refresh token that is good now.
    public package(set) var refreshHash: [UInt8]? {
        get { fields.value.refreshHash }
        set { edit { $0.refreshHash = newValue } }
    }

    /// How often the refresh token was exchanged.
    public package(set) var refreshCount: UInt32 {
        get { fields.value.refreshCount }
        set { edit { $0.refreshCount = newValue } }
    }

    /// Claims that the sign-in added for this session only.
    public package(set) var claims: [String: ClaimValue] {
        get { fields.value.claims }
        set { edit { $0.claims = newValue } }
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
