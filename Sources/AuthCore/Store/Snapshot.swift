/// An account as a store hands it out.
public struct StoredAccount: Sendable {
    /// The account.
    public let account: Account

    /// Wraps the account.
    public init(_ account: Account) { self.account = account }

    /// The account's version.
    var version: UInt64 { account.version }
}

/// What a decision needs to see.
public struct SnapshotQuery: Sendable, Hashable {
    /// A session, with its account.
    public var session: SessionID?
    /// An account by its id, with its tombstone if it is gone.
    public var account: AccountID?
    /// A second account by its id.
    public var otherAccount: AccountID?
    /// The owner of an identity.
    public var identity: IdentityKey?
    /// The owner of a second identity.
    public var otherIdentity: IdentityKey?
    /// The owners of any number of identities.
    public var identities: [IdentityKey] = []
    /// The owner of a number.
    public var phone: PhoneNumber?
    /// The owner of a primary address.
    public var email: EmailAddress?
    /// The owner of a second primary address.
    public var otherEmail: EmailAddress?
    /// The owner of the same mailbox under its other name.
    public var twinEmail: EmailAddress?
    /// Every account that mentions an address.
    public var mentions: EmailAddress?
    /// One-time things; the account of the first is loaded with it.
    public var capabilities: [CapabilityKey] = []
    /// All sessions of an account.
    public var sessionsOf: AccountID?
    /// All one-time things about the account that the query finds: the one asked for, or else the address's owner.
    public var includesCodes = false

    /// A query that asks for nothing yet.
    public init() {}
}

/// Everything a query named, as it was at one moment.
public struct Snapshot: Sendable {
    /// The session.
    public var session: Session?
    /// The session's account.
    public var sessionAccount: StoredAccount?
    /// The account asked for by its id.
    public var account: StoredAccount?
    /// The second account asked for by its id.
    public var otherAccount: StoredAccount?
    /// The owner of the identity.
    public var identityOwner: StoredAccount?
    /// The owner of the second identity.
    public var otherIdentityOwner: StoredAccount?
    /// The owners of the identities that have one, in the order asked for.
    public var identityOwners: [StoredAccount] = []
    /// The owner of the number.
    public var phoneOwner: StoredAccount?
    /// The owner of the primary address.
    public var emailOwner: StoredAccount?
    /// The owner of the second primary address.
    public var otherEmailOwner: StoredAccount?
    /// The owner of the mailbox's other name.
    public var twinOwner: StoredAccount?
    /// The accounts that mention the address.
    public var mentioners: [StoredAccount] = []
    /// The one-time things that exist, in the order asked for.
    public var capabilities: [Capability] = []
    /// The account of the first one-time thing.
    public var capabilityAccount: StoredAccount?
    /// The one-time things about the account, in no order.
    public var codes: [Capability] = []
    /// The sessions of the account.
    public var sessions: [Session] = []
    /// What became of the account asked for, if it is gone.
    public var tombstone: Capability?
    /// When somebody last signed in to the account asked for, or to the session's account.
    public var lastSignIn: Timestamp?

    /// A snapshot in which nothing was found.
    public init() {}

    /// The one-time thing with this key.
    package func capability(_ key: CapabilityKey) -> Capability? { capabilities.first { $0.key == key } }
}

extension CapabilityKey {
    /// The key under which the end of an account is recorded; a store looks there when an account is asked for and gone.
    public static func tombstone(of account: AccountID) -> CapabilityKey {
        CapabilityKey(digestOf: "tombstone\u{0}" + account.text)
    }

    /// The key made of the first 128 bits of the text's SHA-256.
    package init(digestOf text: String) {
        self.init(bits: SHA256.leadingBits(of: text))
    }
}
