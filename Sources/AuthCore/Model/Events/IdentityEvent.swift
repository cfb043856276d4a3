extension IdentityEvent {
    /// The kind of an event.
    public struct Kind: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        /// The kind's stable name.
        public let rawValue: String

        /// Creates the kind with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's stable name.
        public var description: String { rawValue }

        /// An account was created.
        public static let accountCreated = Kind(rawValue: "accountCreated")
        /// An account was deleted.
        public static let accountDeleted = Kind(rawValue: "accountDeleted")
        /// A person requested the deletion of their account, which can be canceled for a while.
        public static let deletionRequested = Kind(rawValue: "deletionRequested")
        /// The deletion was canceled: by a sign-in, a code from the mailbox, or a merge.
        public static let deletionCanceled = Kind(rawValue: "deletionCanceled")
        /// An account was merged into another one, which ``AuthService/successor(of:)`` names.
        public static let accountMerged = Kind(rawValue: "accountMerged")
        /// An account was restored because its merge was undone.
        public static let accountRestored = Kind(rawValue: "accountRestored")
        /// A merge or move began, and locks the account's methods.
        public static let mergeBegun = Kind(rawValue: "mergeBegun")
        /// A merge or move was aborted; nothing moved.
        public static let mergeAborted = Kind(rawValue: "mergeAborted")
        /// An administrator disabled an account.
        public static let accountDisabled = Kind(rawValue: "accountDisabled")
        /// An administrator enabled an account.
        public static let accountEnabled = Kind(rawValue: "accountEnabled")
        /// A person signed in.
        public static let signedIn = Kind(rawValue: "signedIn")
        /// A person reauthenticated.
        public static let reauthenticated = Kind(rawValue: "reauthenticated")
        /// A person signed out.
        public static let signedOut = Kind(rawValue: "signedOut")
        /// Sessions were ended: by their owner, an administrator, the reader of a notice, or because a refresh token
        /// was presented after it was exchanged or replaced.
        public static let sessionsRevoked = Kind(rawValue: "sessionsRevoked")
        /// A method was added, removed, replaced, suspended or confirmed.
        public static let methodsChanged = Kind(rawValue: "methodsChanged")
        /// A second factor was added, removed, renamed or used up.
        public static let factorsChanged = Kind(rawValue: "factorsChanged")
        /// A person who controls the mailbox reported all second factors as lost.
        ///
        /// Time alone removes no factor. After the waiting time the person can remove the factors with another mailed
        /// link, unless a session that has presented a factor cancels that before.
        public static let factorRecoveryBegun = Kind(rawValue: "factorRecoveryBegun")
        /// The recovery was stopped: a session that has presented a factor canceled it, or the account is to be deleted
        /// or was disabled.
        public static let factorRecoveryEnded = Kind(rawValue: "factorRecoveryEnded")
        /// The primary address changed.
        public static let emailChanged = Kind(rawValue: "emailChanged")
        /// The primary address was verified for the first time, or again after its proof had ended.
        public static let emailVerified = Kind(rawValue: "emailVerified")
        /// The name or the picture changed.
        public static let profileChanged = Kind(rawValue: "profileChanged")
        /// An administrator changed the custom claims.
        public static let claimsChanged = Kind(rawValue: "claimsChanged")
    }

    /// Who caused an event.
    public enum Actor: Sendable, Hashable, Codable {
        /// The person in this session.
        case session(SessionID)
        /// A person who controls a mailbox, by a code sent there.
        case mailbox(EmailAddress)
        /// A person who presented a credential and had no session yet.
        case unauthenticated
        /// An administrator.
        case administrator
        /// The service itself, by a rule about time or about tokens that are used twice.
        case system
    }
}

/// One entry of the event log.
public struct IdentityEvent: Sendable, Hashable, Codable {
    /// The place of the event in the log; the store assigns it.
    public internal(set) var position = Position.start
    /// What happened.
    public let kind: Kind
    /// When it happened.
    public let at: Timestamp
    /// The account that it happened to.
    public let account: AccountID
    /// Who caused it.
    public let actor: Actor
    /// The reasons of the decision.
    public let reasons: [Reason]
    /// The evidence that the account has after a change of its methods or its address.
    public let evidence: [Evidence]
    /// The methods before; nil if they did not change.
    public let before: [SignInMethod.Summary]?
    /// The methods after; nil if they did not change.
    public let after: [SignInMethod.Summary]?

    /// Creates an event with these values.
    public init(
        _ kind: Kind,
        at: Timestamp,
        account: AccountID,
        actor: Actor,
        reasons: [Reason],
        evidence: [Evidence] = [],
        before: [SignInMethod.Summary]? = nil,
        after: [SignInMethod.Summary]? = nil
    ) {
        self.kind = kind
        self.at = at
        self.account = account
        self.actor = actor
        self.reasons = reasons
        self.evidence = evidence
        self.before = before
        self.after = after
    }

    /// Returns the same event at this position, as a store does.
    public func placed(at position: Position) -> IdentityEvent {
        var event = self
        event.position = position
        return event
    }
}
