/// Where a message goes.
public enum Recipient: Sendable, Hashable, Codable {
    /// A mailbox.
    case email(EmailAddress)
    /// A telephone.
    case phone(PhoneNumber)
}

/// What a message is about.
public struct MessageKind: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
    /// The kind's stable name.
    public let rawValue: String

    /// The kind with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind's stable name.
    public var description: String { rawValue }

    /// A link that proves the account's address.
    public static let verifyEmail = MessageKind(rawValue: "verifyEmail")
    /// A link that proves a new address and moves the account to it.
    public static let changeEmail = MessageKind(rawValue: "changeEmail")
    /// A link that sets a new password.
    public static let resetPassword = MessageKind(rawValue: "resetPassword")
    /// A link that takes an address change back.
    public static let recoverEmail = MessageKind(rawValue: "recoverEmail")
    /// A link that signs in.
    public static let signInLink = MessageKind(rawValue: "signInLink")
    /// How the account of the address is signed in to, or that there is none; it carries no code.
    public static let signInMethods = MessageKind(rawValue: "signInMethods")
    /// Digits that prove a number.
    public static let phoneCode = MessageKind(rawValue: "phoneCode")
}

/// Notices: they tell of a change that was made, and carry the right to contest it.
extension MessageKind {
    /// That a method was added, or can be used again.
    public static let methodAdded = MessageKind(rawValue: "methodAdded")
    /// That a method was removed, or can no longer be used.
    public static let methodRemoved = MessageKind(rawValue: "methodRemoved")
    /// That a method took the place of another of its kind, such as a password.
    public static let methodReplaced = MessageKind(rawValue: "methodReplaced")
    /// That a second factor was added.
    public static let factorAdded = MessageKind(rawValue: "factorAdded")
    /// That a second factor was removed, or can no longer be used.
    public static let factorRemoved = MessageKind(rawValue: "factorRemoved")
    /// That the account has another address, or none.
    public static let addressChanged = MessageKind(rawValue: "addressChanged")
    /// That recovery codes were made; those from before are void.
    public static let recoveryCodesMade = MessageKind(rawValue: "recoveryCodesMade")
    /// That a recovery code stood in for a second factor.
    public static let recoveryCodeUsed = MessageKind(rawValue: "recoveryCodeUsed")
    /// That somebody with the mailbox says that the factors are lost; they go unless a session that has shown one objects.
    ///
    /// It carries no code.
    public static let factorRecoveryBegun = MessageKind(rawValue: "factorRecoveryBegun")
    /// That the account is to be deleted, and until when that can be taken back.
    public static let deletionRequested = MessageKind(rawValue: "deletionRequested")
    /// That the account is gone; it carries no code.
    public static let accountDeleted = MessageKind(rawValue: "accountDeleted")
    /// That the account went into another one.
    public static let accountMerged = MessageKind(rawValue: "accountMerged")
    /// What the code of a notice does: it contests the change.
    public static let changeReport = MessageKind(rawValue: "changeReport")

    /// Whether the message tells of a change, rather than asking for one.
    public var isNotice: Bool {
        switch self {
        case .methodAdded, .methodRemoved, .methodReplaced, .factorAdded, .factorRemoved, .addressChanged,
            .recoveryCodesMade, .recoveryCodeUsed, .factorRecoveryBegun, .deletionRequested, .accountDeleted,
            .accountMerged:
            true
        default: false
        }
    }

    /// Whether the message only tells, and opens nothing.
    var isWithoutCode: Bool {
        self == .signInMethods || self == .accountDeleted || self == .factorRecoveryBegun
    }
}

/// What an app asks of the links in its mails.
public struct MessageSettings: Sendable, Hashable, Codable {
    /// Where the person goes on after the link.
    public var continueURL: String?
    /// Whether the app opens the link itself.
    public var handlesCodeInApp: Bool
    /// The language of the message.
    public var language: String?

    /// Settings with these values.
    public init(continueURL: String? = nil, handlesCodeInApp: Bool = false, language: String? = nil) {
        self.continueURL = continueURL
        self.handlesCodeInApp = handlesCodeInApp
        self.language = language
    }
}

extension Store {
    /// A message to be sent, as the store keeps it.
    ///
    /// The code is not in it: the service derives it from the message's id and a key of its own when the message is sent.
    public struct OutboxEntry: Sendable, Hashable, Codable {
        /// Names the message.
        public let id: OperationID
        /// What it is about.
        public let kind: MessageKind
        /// Where it goes.
        public let recipient: Recipient
        /// The one-time thing that the code opens; it is revoked if the message cannot be sent.
        public let record: OneTimeRecordID
        /// The account it is about, if there is one.
        public let account: AccountID?
        /// What the app asked of its link.
        public let settings: MessageSettings?
        /// When it was decided.
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
