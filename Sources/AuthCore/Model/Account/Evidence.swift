/// Who vouched for an address or a number, how, and when.
///
/// "Verified" is always derived from evidence. It is history: a method may go, the evidence stays.
public struct Evidence: Sendable, Hashable, Codable {
    /// What the evidence is about.
    public enum Subject: Sendable, Hashable, Codable {
        /// A mailbox.
        case email(EmailAddress)
        /// A telephone number.
        case phone(PhoneNumber)
    }

    /// How it came about.
    public enum Source: Sendable, Hashable, Codable {
        /// A code or link sent to the mailbox came back.
        case mailboxCode
        /// A code sent to the number came back.
        case phoneCode
        /// A provider said so, with a word of this worth.
        case provider(IdentityKey, EmailAssurance)
        /// An administrator said so.
        case administrator
        /// An import said so; `trusted` when the batch may be joined by.
        case imported(trusted: Bool)
    }

    /// What the evidence is about.
    public let subject: Subject
    /// How it came about.
    public let source: Source
    /// How often it was shown; older pieces of the same kind are folded into one.
    public internal(set) var count = 1
    /// When this was first shown.
    public let firstAt: Timestamp
    /// When it was last shown.
    public internal(set) var lastAt: Timestamp
    /// Since when it proves nothing any more, if it does not.
    public internal(set) var staleSince: Timestamp?

    package init(_ subject: Subject, _ source: Source, at date: Timestamp) {
        self.subject = subject
        self.source = source
        firstAt = date
        lastAt = date
    }

    /// Whether it still says something.
    public var isFresh: Bool { staleSince == nil }

    /// Counts more showings; a count that came from a record may be as large as it can get.
    mutating func add(_ times: Int) {
        let (sum, isTooLarge) = count.addingReportingOverflow(times)
        count = isTooLarge ? .max : sum
    }
}

/// That one proof of an address covers a method: the method was used in, or attached by, the session that made the proof.
public struct Coverage: Sendable, Hashable, Codable {
    /// The address or number proved.
    public let subject: Evidence.Subject
    /// When the proof and the method were seen together.
    public let at: Timestamp

    package init(_ subject: Evidence.Subject, at date: Timestamp) {
        self.subject = subject
        self.at = date
    }
}

extension Evidence.Subject {
    /// Whether both are the same mailbox under its two names.
    func isTwin(of other: Evidence.Subject) -> Bool {
        guard case .email(let email) = self, case .email(let other) = other else { return false }
        return email.isTwin(of: other)
    }
}
