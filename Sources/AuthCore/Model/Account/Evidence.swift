/// A record of who verified or asserted an address or a number, how, and when.
///
/// "Verified" is always derived from evidence. Evidence is history: it remains when a method is removed.
public struct Evidence: Sendable, Hashable {
    /// What the evidence is about.
    public enum Subject: Sendable, Hashable {
        /// A mailbox.
        case email(EmailAddress)
        /// A phone number.
        case phone(PhoneNumber)
    }

    /// The source of the evidence.
    public enum Source: Sendable, Hashable {
        /// A code or link that was mailed to the mailbox was presented.
        case mailboxCode
        /// A code that was sent to the number was presented.
        case phoneCode
        /// A provider asserted it, with this assurance.
        case provider(Identity.Key, EmailAssurance)
        /// An administrator confirmed it.
        case administrator
        /// An import contained it; `trusted` if the imported batch allows automatic linking.
        case imported(trusted: Bool)
    }

    /// What the evidence is about.
    public let subject: Subject
    /// The source of the evidence.
    public internal(set) var source: Source
    /// How often it was presented; entries of the same kind are combined.
    public var count = 1
    /// When it was first presented.
    public internal(set) var firstAt: Timestamp
    /// When it was last presented.
    public var lastAt: Timestamp
    /// When the evidence became stale and stopped verifying anything; nil if it is fresh.
    public var staleSince: Timestamp?

    /// Creates evidence that was presented once, at this time.
    public init(_ subject: Subject, _ source: Source, at date: Timestamp) {
        self.subject = subject
        self.source = source
        firstAt = date
        lastAt = date
    }

    /// Whether it still counts.
    public var isFresh: Bool { staleSince == nil }

    /// Raises the count, up to its maximum; a count from a record may already have the maximum.
    mutating func add(_ times: Int) {
        let (sum, isTooLarge) = count.addingReportingOverflow(times)
        count = isTooLarge ? .max : sum
    }
}

extension Evidence {
    /// A verification in a session, which covers the methods that were used in, or added by, the same session.
    public struct Verification: Sendable, Hashable {
        /// The address or number that was verified.
        public let subject: Subject
        /// When it was verified; of a method, when the two occurred in one session.
        public internal(set) var at: Timestamp

        /// Creates a verification with these values.
        public init(_ subject: Subject, at date: Timestamp) {
            self.subject = subject
            self.at = date
        }
    }
}

extension Evidence.Subject {
    /// The subject under the usual name of its mailbox, if it is one.
    var mailbox: Evidence.Subject { if case .email(let email) = self { .email(email.mailbox) } else { self } }

    /// Whether both are one number, or one mailbox under either of its names.
    func isSame(as other: Evidence.Subject) -> Bool { self == other || mailbox == other.mailbox }

    /// The text of the address or number; only an address contains an @.
    var text: String {
        switch self {
        case .email(let email): email.text
        case .phone(let number): number.text
        }
    }

    /// Reads the text of an address or of a number.
    init?(text: String) {
        guard let subject = EmailAddress(text).map(Self.email) ?? PhoneNumber(text).map(Self.phone) else { return nil }
        self = subject
    }
}
