extension Message {
    /// The kind of a message.
    public struct Kind: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        /// The kind's stable name.
        public let rawValue: String

        /// The kind with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's stable name.
        public var description: String { rawValue }

        /// A link that verifies the account's address.
        public static let verifyEmail = Kind(rawValue: "verifyEmail")
        /// A link that verifies a new address and changes the account's address to it.
        public static let changeEmail = Kind(rawValue: "changeEmail")
        /// A link that sets a new password.
        public static let resetPassword = Kind(rawValue: "resetPassword")
        /// A link that undoes an address change.
        public static let recoverEmail = Kind(rawValue: "recoverEmail")
        /// A link that signs in.
        public static let signInLink = Kind(rawValue: "signInLink")
        /// The sign-in methods of the address's account, or that there is no account; it carries no code.
        public static let signInMethods = Kind(rawValue: "signInMethods")
        /// Digits that verify a number.
        public static let phoneCode = Kind(rawValue: "phoneCode")
    }
}

/// Notices: they report a change that was made; most carry a code with which the owner reports it as unauthorized.
extension Message.Kind {
    /// A method was added, or can be used again.
    public static let methodAdded = Message.Kind(rawValue: "methodAdded")
    /// A method was removed, or can no longer be used.
    public static let methodRemoved = Message.Kind(rawValue: "methodRemoved")
    /// A method replaced another of its kind, such as a password.
    public static let methodReplaced = Message.Kind(rawValue: "methodReplaced")
    /// A second factor was added.
    public static let factorAdded = Message.Kind(rawValue: "factorAdded")
    /// A second factor was removed, or can no longer be used.
    public static let factorRemoved = Message.Kind(rawValue: "factorRemoved")
    /// The account's address changed or was removed.
    public static let addressChanged = Message.Kind(rawValue: "addressChanged")
    /// Recovery codes were made; earlier ones are invalid.
    public static let recoveryCodesMade = Message.Kind(rawValue: "recoveryCodesMade")
    /// A recovery code was used instead of a second factor.
    public static let recoveryCodeUsed = Message.Kind(rawValue: "recoveryCodeUsed")
    /// A person who controls the mailbox reported all factors as lost.
    ///
    /// Time alone removes no factor. After the waiting time the person can remove the factors with another mailed link,
    /// unless a session that has presented a factor cancels that before. The message carries no code.
    public static let factorRecoveryBegun = Message.Kind(rawValue: "factorRecoveryBegun")
    /// The account will be deleted after the policy's `deletionGrace`; the code cancels that.
    public static let deletionRequested = Message.Kind(rawValue: "deletionRequested")
    /// The account was deleted; it carries no code.
    public static let accountDeleted = Message.Kind(rawValue: "accountDeleted")
    /// The account was merged into another one, or another one into it.
    public static let accountMerged = Message.Kind(rawValue: "accountMerged")
    /// What the code of a notice does: it reports the change as unauthorized; no message is of this kind.
    public static let changeReport = Message.Kind(rawValue: "changeReport")

    /// Whether the message reports a change, rather than requesting one.
    public var isNotice: Bool {
        switch self {
        case .methodAdded, .methodRemoved, .methodReplaced, .factorAdded, .factorRemoved, .addressChanged,
            .recoveryCodesMade, .recoveryCodeUsed, .factorRecoveryBegun, .deletionRequested, .accountDeleted,
            .accountMerged:
            true
        default: false
        }
    }

    /// Whether the message carries no code.
    var isWithoutCode: Bool { self == .signInMethods || self == .accountDeleted || self == .factorRecoveryBegun }
}

extension OneTimeRecord.Content {
    /// The kind of the message that brings the code; a notice says what changed instead.
    var messageKind: Message.Kind { Message.Kind(rawValue: purpose.rawValue) }
}
