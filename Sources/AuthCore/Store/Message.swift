public import AuthCoreFoundation

/// A message to be sent: its recipient, its contents, and the code that only the recipient may see.
public struct Message: Sendable, Hashable, Concealing {
    /// The message's ID, by which a sender recognizes one that it was passed before.
    public let id: Store.OperationID
    /// The kind of message.
    public let kind: Kind
    /// The address or number that the message is sent to.
    public let recipient: Recipient
    /// The code in the message, empty if there is none; disclose it only to the recipient.
    public let code: String
    /// The link that carries the code, for mails.
    public let link: String?
    /// The account that the message is about, if there is one.
    public let account: AccountID?
    /// The sign-in methods of that account, for a message that lists them.
    public let signInMethods: [ProviderID]
    /// The app's settings for the message.
    public let settings: Settings?
    /// The time at which the message was requested.
    public let createdAt: Date

    /// The kind and the recipient, without the code.
    public var description: String { "Message(\(kind) to \(recipient))" }
}

extension Message {
    /// The recipient of a message.
    public enum Recipient: Sendable, Hashable, Codable {
        /// A mailbox.
        case email(EmailAddress)
        /// A phone number.
        case phone(PhoneNumber)
    }

    /// The app's settings for the links in its messages.
    public struct Settings: Sendable, Hashable, Codable {
        /// Where the link continues to.
        public var continueURL: String?
        /// Whether the app opens the link itself; it is for the sender, and AuthCore does nothing with it.
        public var handlesCodeInApp: Bool
        /// The language of the message, for the sender; the link names it, too, for the page that it opens.
        public var language: String?

        /// Creates settings with these values.
        public init(continueURL: String? = nil, handlesCodeInApp: Bool = false, language: String? = nil) {
            self.continueURL = continueURL
            self.handlesCodeInApp = handlesCodeInApp
            self.language = language
        }
    }
}
