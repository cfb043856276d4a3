import Synchronization

/// Sends mails and text messages on behalf of the service.
public protocol MessageSender: Sendable {
    /// Sends the message, or throws; a message that could not be sent is passed again later, until it is given up.
    ///
    /// After a quarter of the policy's `delivery.lease`, normally fifteen seconds, the task is canceled: end with an
    /// error then. The service calls it at the same time for as many messages as there are requests; a sender that
    /// opens a connection for each limits them itself.
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
