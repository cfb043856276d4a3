/// The recipient of a message.
public enum Recipient: Sendable, Hashable, Codable {
    /// A mailbox.
    case email(EmailAddress)
    /// A telephone.
    case phone(PhoneNumber)
}

/// The kind of a message.
public struct MessageKind: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
    /// The kind's stable name.
    public let rawValue: String

    /// The kind with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind's stable name.
    public var description: String { rawValue }

    /// A link that verifies the account's address.
    public static let verifyEmail = MessageKind(rawValue: "verifyEmail")
    /// A link that verifies a new address and changes the account's address to it.
    public static let changeEmail = MessageKind(rawValue: "changeEmail")
    /// A link that sets a new password.
    public static let resetPassword = MessageKind(rawValue: "resetPassword")
    /// A link that undoes an address change.
    public static let recoverEmail = MessageKind(rawValue: "recoverEmail")
    /// A link that signs in.
    public static let signInLink = MessageKind(rawValue: "signInLink")
    /// The sign-in methods of the address's account, or that there is no account; it carries no code.
    public static let signInMethods = MessageKind(rawValue: "signInMethods")
    /// Digits that verify a number.
    public static let phoneCode = MessageKind(rawValue: "phoneCode")
}

/// Notices: they report a change that was made, and carry a code with which the owner reports it as unauthorized.
extension MessageKind {
    /// A method was added, or can be used again.
    public static let methodAdded = MessageKind(rawValue: "methodAdded")
    /// A method was removed, or can no longer be used.
    public static let methodRemoved = MessageKind(rawValue: "methodRemoved")
    /// A method replaced another of its kind, such as a password.
    public static let methodReplaced = MessageKind(rawValue: "methodReplaced")
    /// A second factor was added.
    public static let factorAdded = MessageKind(rawValue: "factorAdded")
    /// A second factor was removed, or can no longer be used.
    public static let factorRemoved = MessageKind(rawValue: "factorRemoved")
    /// The account's address changed or was removed.
    public static let addressChanged = MessageKind(rawValue: "addressChanged")
    /// Recovery codes were made; earlier ones are invalid.
    public static let recoveryCodesMade = MessageKind(rawValue: "recoveryCodesMade")
    /// A recovery code was used instead of a second factor.
    public static let recoveryCodeUsed = MessageKind(rawValue: "recoveryCodeUsed")
    /// A person who controls the mailbox reported all factors as lost.
    ///
    /// The factors are removed unless a session that has presented one objects. It carries no code.
    public static let factorRecoveryBegun = MessageKind(rawValue: "factorRecoveryBegun")
    /// The account will be deleted; the notice says until when the deletion can be canceled.
    public static let deletionRequested = MessageKind(rawValue: "deletionRequested")
    /// The account was deleted; it carries no code.
    public static let accountDeleted = MessageKind(rawValue: "accountDeleted")
    /// The account was merged into another one.
    public static let accountMerged = MessageKind(rawValue: "accountMerged")
    /// Reports an unauthorized change, by the code of a notice.
    public static let changeReport = MessageKind(rawValue: "changeReport")

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
    var isWithoutCode: Bool {
        self == .signInMethods || self == .accountDeleted || self == .factorRecoveryBegun
    }
}

/// The app's settings for the links in its messages.
public struct MessageSettings: Sendable, Hashable, Codable {
    /// Where the link continues to.
    public var continueURL: String?
    /// Whether the app opens the link itself.
    public var handlesCodeInApp: Bool
    /// The language of the message.
    public var language: String?

    /// Creates settings with these values.
    public init(continueURL: String? = nil, handlesCodeInApp: Bool = false, language: String? = nil) {
        self.continueURL = continueURL
        self.handlesCodeInApp = handlesCodeInApp
        self.language = language
    }
}

extension Store {
    /// A message to be sent, as stored.
    ///
    /// It does not contain the code: the service derives it from the message's ID and a key when it sends the message.
    public struct OutboxEntry: Sendable, Hashable, Codable {
        /// The ID of the message.
        public let id: OperationID
        /// The kind of message.
        public let kind: MessageKind
        /// The recipient.
        public let recipient: Recipient
        /// The one-time record that the code belongs to; it is revoked if the message cannot be sent.
        public let record: OneTimeRecordID
        /// The account it is about, if there is one.
        public let account: AccountID?
        /// The app's settings for its link.
        public let settings: MessageSettings?
        /// When the decision was made.
        public let createdAt: Timestamp

        package init(
            id: OperationID,
            kind: MessageKind,
            recipient: Recipient,
            record: OneTimeRecordID,
            account: AccountID?,
            settings: MessageSettings?,
            createdAt: Timestamp
        ) {
            self.id = id
            self.kind = kind
            self.recipient = recipient
            self.record = record
            self.account = account
            self.settings = settings
            self.createdAt = createdAt
        }
    }
}
