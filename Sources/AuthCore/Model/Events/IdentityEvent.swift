/// What kind of thing happened to an account.
public struct EventKind: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
    /// The kind's stable name.
    public let rawValue: String

    /// The kind with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind's stable name.
    public var description: String { rawValue }

    /// An account was made.
    public static let accountCreated = EventKind(rawValue: "accountCreated")
    /// An account was deleted.
    public static let accountDeleted = EventKind(rawValue: "accountDeleted")
    /// A person asked for the deletion of their account, which can be taken back for a while.
    public static let deletionRequested = EventKind(rawValue: "deletionRequested")
    /// A sign-in took the deletion back.
    public static let deletionTakenBack = EventKind(rawValue: "deletionTakenBack")
    /// An account went into another one.
    public static let accountMerged = EventKind(rawValue: "accountMerged")
    /// An account came back because its merge was undone.
    public static let accountRestored = EventKind(rawValue: "accountRestored")
    /// A merge or move began, and holds the account's methods still.
    public static let mergeBegun = EventKind(rawValue: "mergeBegun")
    /// A merge or move was called off; nothing moved.
    public static let mergeCalledOff = EventKind(rawValue: "mergeCalledOff")
    /// An administrator shut an account.
    public static let accountDisabled = EventKind(rawValue: "accountDisabled")
    /// An administrator opened an account again.
    public static let accountEnabled = EventKind(rawValue: "accountEnabled")
    /// Somebody signed in.
    public static let signedIn = EventKind(rawValue: "signedIn")
    /// Somebody proved again who they are.
    public static let reauthenticated = EventKind(rawValue: "reauthenticated")
    /// A session ended because its person said so.
    public static let signedOut = EventKind(rawValue: "signedOut")
    /// Sessions were ended by their owner or an administrator.
    public static let sessionsRevoked = EventKind(rawValue: "sessionsRevoked")
    /// A method was added, removed, replaced, suspended or confirmed.
    public static let methodsChanged = EventKind(rawValue: "methodsChanged")
    /// A second factor was added, removed, renamed or used up.
    public static let factorsChanged = EventKind(rawValue: "factorsChanged")
    /// Somebody who controls the mailbox says that all second factors were lost; they go unless somebody objects.
    public static let factorRecoveryBegun = EventKind(rawValue: "factorRecoveryBegun")
    /// A session that has shown a factor objected.
    public static let factorRecoveryEnded = EventKind(rawValue: "factorRecoveryEnded")
    /// The primary address changed.
    public static let emailChanged = EventKind(rawValue: "emailChanged")
    /// An address was proved.
    public static let emailVerifiedBy = EventKind(rawValue: "emailVerifiedBy")
    /// The profile changed.
    public static let profileChanged = EventKind(rawValue: "profileChanged")
    /// An administrator changed the custom claims.
    public static let claimsChanged = EventKind(rawValue: "claimsChanged")
}

/// Who did it.
public enum EventActor: Sendable, Hashable, Codable {
    /// The person in this session.
    case session(SessionID)
    /// Whoever controls a mailbox, by a code sent there.
    case mailbox(EmailAddress)
    /// Somebody who arrived with a credential and had no session yet.
    case arrival
    /// An administrator.
    case administrator
    /// The library itself, by a rule about time.
    case system
}

/// One entry of the event log.
public struct IdentityEvent: Sendable, Hashable, Codable {
    /// The entry's place in the log; the commit allots it.
    public internal(set) var sequence: UInt64 = 0
    /// What happened.
    public let kind: EventKind
    /// When.
    public let at: Timestamp
    /// To which account.
    public let account: AccountID
    /// Who did it.
    public let actor: EventActor
    /// Why the rules allowed or did it.
    public let reasons: [Reason]
    /// What was proved on the way.
    public let evidence: [Evidence]
    /// The methods before; nil where they did not change.
    public let before: [MethodSummary]?
    /// The methods after; nil where they did not change.
    public let after: [MethodSummary]?

    package init(
        _ kind: EventKind,
        at: Timestamp,
        account: AccountID,
        actor: EventActor,
        reasons: [Reason],
        evidence: [Evidence] = [],
        methods: MethodsChange? = nil
    ) {
        self.kind = kind
        self.at = at
        self.account = account
        self.actor = actor
        self.reasons = reasons
        self.evidence = evidence
        before = methods?.before
        after = methods?.after
    }

    /// The same event at this place in the log: a store numbers what it commits, from 1 on and without gaps.
    public func numbered(_ sequence: UInt64) -> IdentityEvent {
        var event = self
        event.sequence = sequence
        return event
    }
}
