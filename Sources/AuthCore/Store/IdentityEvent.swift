/// What kind of thing happened to an account.
public struct EventKind: Sendable, Codable, RawRepresentable, CustomStringConvertible {
    private let name: OpenName

    /// The kind with this name.
    public init(rawValue: String) { name = OpenName(rawValue) }

    private init(_ usual: UsualName) { name = OpenName(usual) }

    /// The kind's stable name.
    public var rawValue: String { name.text }

    /// The kind's stable name.
    public var description: String { rawValue }

    /// An account was made.
    public static var accountCreated: EventKind { EventKind(.accountCreated) }
    /// An account was deleted.
    public static var accountDeleted: EventKind { EventKind(.accountDeleted) }
    /// A person asked for the deletion of their account, which can be taken back for a while.
    public static var deletionRequested: EventKind { EventKind(.deletionRequested) }
    /// A sign-in took the deletion back.
    public static var deletionTakenBack: EventKind { EventKind(.deletionTakenBack) }
    /// An account went into another one.
    public static var accountMerged: EventKind { EventKind(.accountMerged) }
    /// An account came back because its merge was undone.
    public static var accountRestored: EventKind { EventKind(.accountRestored) }
    /// A merge or move began, and holds the account's methods still.
    public static var mergeBegun: EventKind { EventKind(.mergeBegun) }
    /// A merge or move was called off; nothing moved.
    public static var mergeCalledOff: EventKind { EventKind(.mergeCalledOff) }
    /// An administrator shut an account.
    public static var accountDisabled: EventKind { EventKind(.accountDisabled) }
    /// An administrator opened an account again.
    public static var accountEnabled: EventKind { EventKind(.accountEnabled) }
    /// Somebody signed in.
    public static var signedIn: EventKind { EventKind(.signedIn) }
    /// Somebody proved again who they are.
    public static var reauthenticated: EventKind { EventKind(.reauthenticated) }
    /// A session ended because its person said so.
    public static var signedOut: EventKind { EventKind(.signedOut) }
    /// Sessions were ended by their owner or an administrator.
    public static var sessionsRevoked: EventKind { EventKind(.sessionsRevoked) }
    /// A method was added, removed, replaced, suspended or confirmed.
    public static var methodsChanged: EventKind { EventKind(.methodsChanged) }
    /// A second factor was added, removed, renamed or used up.
    public static var factorsChanged: EventKind { EventKind(.factorsChanged) }
    /// Somebody who controls the mailbox says that all second factors were lost; they go unless somebody objects.
    public static var factorRecoveryBegun: EventKind { EventKind(.factorRecoveryBegun) }
    /// A session that has shown a factor objected.
    public static var factorRecoveryEnded: EventKind { EventKind(.factorRecoveryEnded) }
    /// The primary address changed.
    public static var emailChanged: EventKind { EventKind(.emailChanged) }
    /// An address was proved.
    public static var emailProven: EventKind { EventKind(.emailProven) }
    /// The profile changed.
    public static var profileChanged: EventKind { EventKind(.profileChanged) }
    /// An administrator changed the custom claims.
    public static var claimsChanged: EventKind { EventKind(.claimsChanged) }
}

// By the number, where the name is one of the library's own; what raw values bring along would read both texts.
extension EventKind: Hashable {
    /// Whether both are the same kind.
    public static func == (left: EventKind, right: EventKind) -> Bool { left.name == right.name }

    /// Feeds the name to the hasher.
    public func hash(into hasher: inout Hasher) { name.hash(into: &hasher) }
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
public struct IdentityEvent: Sendable, Hashable {
    // With as few references as may be: the log is long, and whatever an entry refers to is given back when a newer one
    // takes its place, long after anybody looked at it.

    /// The entry's place in the log; the commit allots it.
    public package(set) var sequence: UInt64
    /// What happened.
    public let kind: EventKind
    /// When.
    public let at: Timestamp
    /// To which account.
    public let account: AccountID
    /// Who did it.
    public let actor: EventActor
    private let causes: Several<Reason>
    /// What was proved on the way.
    public let evidence: [Evidence]
    private let methods: MethodsChange?

    package init(
        _ kind: EventKind,
        at: Timestamp,
        account: AccountID,
        actor: EventActor,
        reasons: [Reason],
        evidence: [Evidence] = [],
        methods: MethodsChange? = nil
    ) {
        sequence = 0
        self.kind = kind
        self.at = at
        self.account = account
        self.actor = actor
        causes = Several(reasons)
        self.evidence = evidence
        self.methods = methods
    }

    /// The same event at this place in the log: a store numbers what it commits, from 1 on and without gaps.
    public func numbered(_ sequence: UInt64) -> IdentityEvent {
        var event = self
        event.sequence = sequence
        return event
    }

    /// Why the rules allowed or did it.
    public var reasons: [Reason] { causes.all }

    /// The methods before; nil where they did not change.
    public var before: [MethodSummary]? { methods?.before }

    /// The methods after; nil where they did not change.
    public var after: [MethodSummary]? { methods?.after }
}

// Written out, since a record has both sides of a change by themselves.
extension IdentityEvent: Codable {
    private enum CodingKeys: String, CodingKey {
        case sequence, kind, at, account, actor, reasons, evidence, before, after
    }

    /// Reads an event field by field.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let before = try fields.decodeIfPresent([MethodSummary].self, forKey: .before)
        let after = try fields.decodeIfPresent([MethodSummary].self, forKey: .after)
        self.init(
            try fields.decode(EventKind.self, forKey: .kind),
            at: try fields.decode(Timestamp.self, forKey: .at),
            account: try fields.decode(AccountID.self, forKey: .account),
            actor: try fields.decode(EventActor.self, forKey: .actor),
            reasons: try fields.decode([Reason].self, forKey: .reasons),
            evidence: try fields.decode([Evidence].self, forKey: .evidence),
            methods: before == nil && after == nil ? nil : MethodsChange(before: before ?? [], after: after ?? [])
        )
        sequence = try fields.decode(UInt64.self, forKey: .sequence)
    }

    /// Writes the event field by field.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(sequence, forKey: .sequence)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(at, forKey: .at)
        try fields.encode(account, forKey: .account)
        try fields.encode(actor, forKey: .actor)
        try fields.encode(causes, forKey: .reasons)
        try fields.encode(evidence, forKey: .evidence)
        try fields.encodeIfPresent(before, forKey: .before)
        try fields.encodeIfPresent(after, forKey: .after)
    }
}
