#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What kind of thing happened to an account.
public struct EventKind: Sendable, Codable, RawRepresentable, CustomStringConvertible {
    private let name: OpenName<Usual>

    /// The kind with this name.
    public init(rawValue: String) { name = OpenName(rawValue) }

    private init(_ usual: Usual) { name = OpenName(usual) }

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

    /// The library's own kinds.
    private enum Usual: String, CaseIterable {
        case accountCreated, accountDeleted, deletionRequested, deletionTakenBack, accountMerged, accountRestored
        case mergeBegun, mergeCalledOff, accountDisabled, accountEnabled, signedIn, reauthenticated, signedOut
        case sessionsRevoked, methodsChanged, factorsChanged, factorRecoveryBegun, factorRecoveryEnded, emailChanged
        case emailProven, profileChanged, claimsChanged
    }
}

/// Who did it.
public enum Actor: Sendable, Hashable, Codable {
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
    public package(set) var sequence: UInt64
    /// What happened.
    public let kind: EventKind
    /// When.
    public let at: Date
    /// To which account.
    public let account: AccountID
    /// Who did it.
    public let actor: Actor
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
        at: Date,
        account: AccountID,
        actor: Actor,
        reasons: [Reason],
        evidence: [Evidence] = [],
        before: [MethodSummary]? = nil,
        after: [MethodSummary]? = nil
    ) {
        sequence = 0
        self.kind = kind
        self.at = at
        self.account = account
        self.actor = actor
        self.reasons = reasons
        self.evidence = evidence
        self.before = before
        self.after = after
    }
}
