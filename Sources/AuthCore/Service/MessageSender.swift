#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import Synchronization

/// Sends mails and text messages on behalf of the service.
public protocol MessageSender: Sendable {
    /// Sends the message, or throws; a message that could not be sent is offered again later.
    func send(_ message: Message) async throws

    /// Whether sending only hands the message over in memory, so that the service may wait for it.
    ///
    /// Leave it false for anything that talks to a network: a stranger could tell by the time an answer takes whether a
    /// message was sent.
    var isImmediate: Bool { get }
}

extension MessageSender {
    /// False: sending takes time.
    public var isImmediate: Bool { false }
}

/// A message as its sender sees it: where it goes, and the code that only its recipient may see.
public struct Message: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the message; sending the same one twice can be told by it.
    public let id: Store.OperationID
    /// What it is about.
    public let kind: MessageKind
    /// Where it goes.
    public let recipient: Recipient
    /// The code in it, empty where there is none; show it to nobody but the recipient.
    public let code: String
    /// The link that carries the code, for mails.
    public let link: String?
    /// The account it is about, if there is one.
    public let account: AccountID?
    /// How that account is signed in to, for a message that says so.
    public let signInMethods: [ProviderID]
    /// What the app asked of the message.
    public let settings: MessageSettings?
    /// When it was decided.
    public let createdAt: Date

    /// The kind and the recipient, and not the code.
    public var description: String { "Message(\(kind) to \(recipient))" }

    /// The kind and the recipient, and not the code.
    public var debugDescription: String { description }

    /// A mirror without the code.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind.rawValue, "recipient": recipient]) }
}

/// The embedded default: keeps the newest messages in memory, for tests and for a first look.
public final class Outbox: MessageSender {
    private let kept: Mutex<[Message]>
    private let limit: Int

    /// An empty outbox that keeps so many of the newest messages.
    public init(limit: Int = 1000) {
        self.limit = limit
        kept = Mutex([])
    }

    /// True: the message only changes hands in memory.
    public var isImmediate: Bool { true }

    /// Keeps the message.
    public func send(_ message: Message) async throws {
        kept.withLock { messages in
            messages.append(message)
            // Not one by one, since each time all the others move up.
            if messages.count >= 2 * limit + 1 { messages.removeFirst(messages.count - limit) }
        }
    }

    /// The messages that are kept, oldest first.
    public var messages: [Message] { kept.withLock { Array($0.suffix(limit)) } }

    /// The newest message to an address or number, of one kind if one is given.
    public func last(to recipient: String, _ kind: MessageKind? = nil) -> Message? {
        messages.last { message in
            let address =
                switch message.recipient {
                case .email(let email): email.text
                case .phone(let number): number.text
                }
            return address == recipient && (kind == nil || message.kind == kind)
        }
    }

    /// Forgets all messages.
    public func removeAll() { kept.withLock { $0.removeAll() } }
}
