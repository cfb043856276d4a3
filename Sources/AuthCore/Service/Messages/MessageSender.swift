import Synchronization

/// Sends mails and text messages on behalf of the service.
///
/// ```swift
/// struct Mailer: MessageSender {
///     func send(_ message: Message) async throws {
///         switch message.recipient {
///         case .email(let address): try await mail(address.description, message.kind, content(of: message))
///         case .phone(let number): try await text(number.description, "Your code is \(message.code)")
///         }
///     }
///
///     /// What a template of yours shows for the kind of message; nil where the kind says it all.
///     private func content(of message: Message) -> String? {
///         if message.kind == .signInMethods {
///             let methods = message.signInMethods.map(\.description).joined(separator: ", ")
///             return methods.isEmpty ? "There is no account with this address." : methods
///         }
///         return message.link
///     }
/// }
/// ```
public protocol MessageSender: Sendable {
    /// Sends the message, or throws.
    ///
    /// After a quarter of the policy's ``AuthPolicy/Delivery/lease``, the task is canceled: end with an error then. The
    /// service calls it at the same time for as many messages as there are requests; a sender that opens a connection
    /// for each limits them itself.
    ///
    /// - Parameter message: The message.
    /// - Throws: Any error if the message could not be sent. Where a caller waits for the message, such as one who asks
    ///   for digits, their request fails with ``AuthErrorCode/messageNotSent`` and the error as the cause, and the code
    ///   in the message is revoked. Every other message is passed again later, until it is given up.
    func send(_ message: Message) async throws

    /// Whether sending only stores the message in memory, so that the service may wait for it.
    ///
    /// Return false for a sender that uses a network: otherwise an attacker could infer from the response time whether
    /// a message was sent.
    var isImmediate: Bool { get }
}

extension MessageSender {
    /// False, because sending usually takes time.
    public var isImmediate: Bool { false }
}

extension Message {
    /// The default sender: keeps the newest messages in memory, for tests and first experiments.
    public final class Outbox: MessageSender {
        private let kept: Mutex<[Message]>
        private let limit: Int

        /// Creates an empty outbox that keeps at most this many messages, the newest.
        public init(limit: Int = 1000) {
            self.limit = max(0, limit)
            kept = Mutex([])
        }

        /// True, because the message is only stored in memory.
        public var isImmediate: Bool { true }

        /// Keeps the message.
        public func send(_ message: Message) async throws {
            kept.withLock { messages in
                messages.append(message)
                // Removes many at once, since each removal moves all the others.
                if messages.count - limit > limit { messages.removeFirst(messages.count - limit) }
            }
        }

        /// The messages in the outbox, oldest first.
        public var messages: [Message] { kept.withLock { Array($0.suffix(limit)) } }

        /// Returns the newest message to an address, in any spelling, or number, of one kind if one is given.
        public func last(to recipient: String, _ kind: Kind? = nil) -> Message? {
            let email = EmailAddress(recipient).map { Recipient.email($0) }
            let wanted = email ?? PhoneNumber(recipient).map { .phone($0) }
            return messages.last { $0.recipient == wanted && (kind == nil || $0.kind == kind) }
        }

        /// Removes all messages.
        public func removeAll() { kept.withLock { $0.removeAll() } }
    }
}
