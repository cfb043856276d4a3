/// Where a message goes.
public enum Recipient: Sendable, Hashable, Codable {
    /// A mailbox.
    case email(EmailAddress)
    /// A telephone.
    case phone(PhoneNumber)
}

/// What a message is about.
public struct MessageKind: Sendable, Codable, RawRepresentable, CustomStringConvertible {
    private let name: OpenName

    /// The kind with this name.
    public init(rawValue: String) { name = OpenName(rawValue) }

    private init(_ usual: UsualName) { name = OpenName(usual) }

    /// The kind's stable name.
    public var rawValue: String { name.text }

    /// The kind's stable name.
    public var description: String { rawValue }

    /// A link that proves the account's address.
    public static var verifyEmail: MessageKind { MessageKind(.verifyEmail) }
    /// A link that proves a new address and moves the account to it.
    public static var changeEmail: MessageKind { MessageKind(.changeEmail) }
    /// A link that sets a new password.
    public static var resetPassword: MessageKind { MessageKind(.resetPassword) }
    /// A link that takes an address change back.
    public static var recoverEmail: MessageKind { MessageKind(.recoverEmail) }
    /// A link that signs in.
    public static var signInLink: MessageKind { MessageKind(.signInLink) }
    /// How the account of the address is signed in to, or that there is none; it carries no code.
    public static var signInMethods: MessageKind { MessageKind(.signInMethods) }
    /// Digits that prove a number.
    public static var phoneCode: MessageKind { MessageKind(.phoneCode) }
}

/// Notices: they tell of a change that was made, and carry the right to contest it.
extension MessageKind {
    /// That a method was added, or can be used again.
    public static var methodAdded: MessageKind { MessageKind(.methodAdded) }
    /// That a method was removed, or can no longer be used.
    public static var methodRemoved: MessageKind { MessageKind(.methodRemoved) }
    /// That a method took the place of another of its kind, such as a password.
    public static var methodReplaced: MessageKind { MessageKind(.methodReplaced) }
    /// That a second factor was added.
    public static var factorAdded: MessageKind { MessageKind(.factorAdded) }
    /// That a second factor was removed, or can no longer be used.
    public static var factorRemoved: MessageKind { MessageKind(.factorRemoved) }
    /// That the account has another address, or none.
    public static var addressChanged: MessageKind { MessageKind(.addressChanged) }
    /// That recovery codes were made; those from before are void.
    public static var recoveryCodesMade: MessageKind { MessageKind(.recoveryCodesMade) }
    /// That a recovery code stood in for a second factor.
    public static var recoveryCodeUsed: MessageKind { MessageKind(.recoveryCodeUsed) }
    /// That somebody with the mailbox says that the factors are lost; they go unless a session that has shown one objects.
    ///
    /// It carries no code.
    public static var factorRecoveryBegun: MessageKind { MessageKind(.factorRecoveryBegun) }
    /// That the account is to be deleted, and until when that can be taken back.
    public static var deletionRequested: MessageKind { MessageKind(.deletionRequested) }
    /// That the account is gone; it carries no code.
    public static var accountDeleted: MessageKind { MessageKind(.accountDeleted) }
    /// That the account went into another one.
    public static var accountMerged: MessageKind { MessageKind(.accountMerged) }
    /// What the code of a notice does: it contests the change.
    public static var notMe: MessageKind { MessageKind(.notMe) }

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

// By the number, where the name is one of the library's own; what raw values bring along would read both texts.
extension MessageKind: Hashable {
    /// Whether both are the same kind.
    public static func == (left: MessageKind, right: MessageKind) -> Bool { left.name == right.name }

    /// Feeds the name to the hasher.
    public func hash(into hasher: inout Hasher) { name.hash(into: &hasher) }
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
    public let capability: CapabilityKey
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
        capability: CapabilityKey,
        account: AccountID?,
        settings: MessageSettings?,
        createdAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.recipient = recipient
        self.capability = capability
        self.account = account
        self.settings = settings
        self.createdAt = createdAt
    }
}
