/// Who vouched for an address or a number, how, and when.
///
/// "Verified" is always derived from evidence. It is history: a method may go, the evidence stays.
public struct Evidence: Sendable, Hashable {
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
        case provider(IdentityKey, AddressWord)
        /// An administrator said so.
        case administrator
        /// An import said so; `trusted` when the batch may be joined by.
        case imported(trusted: Bool)
    }

    // In the order, and in the forms, that leave no gaps: nearly every account has one.

    /// How it came about.
    public let source: Source
    private let isAboutPhone: Bool
    private var times: UInt32
    /// The address, or the number.
    private let name: String
    /// When this was first shown.
    public let firstAt: Timestamp
    /// When it was last shown.
    public var lastAt: Timestamp
    private var stale = OptionalMoment(nil)

    package init(_ subject: Subject, _ source: Source, at date: Timestamp) {
        switch subject {
        case .email(let email): (isAboutPhone, name) = (false, email.text)
        case .phone(let number): (isAboutPhone, name) = (true, number.text)
        }
        self.source = source
        firstAt = date
        lastAt = date
        times = 1
    }

    /// What the evidence is about.
    public var subject: Subject {
        if isAboutPhone, let number = PhoneNumber(name) { return .phone(number) }
        return .email(EmailAddress(normalised: name))
    }

    /// Whether the evidence is about this, without making its subject to compare.
    func isAbout(_ wanted: Subject) -> Bool {
        switch wanted {
        case .email(let email): !isAboutPhone && name == email.text
        case .phone(let number): isAboutPhone && name == number.text
        }
    }

    /// Since when it proves nothing any more, if it does not.
    public var staleSince: Timestamp? {
        get { stale.date }
        set { stale = OptionalMoment(newValue) }
    }

    /// How often it was shown; older pieces of the same kind are folded into one.
    public var count: Int {
        get { Int(times) }
        set { times = UInt32(clamping: newValue) }
    }

    /// Whether it still says something.
    public var isFresh: Bool { staleSince == nil }
}

// Written out, since a record has the subject and the dates in their own forms.
extension Evidence: Codable {
    private enum CodingKeys: String, CodingKey {
        case subject, source, count, firstAt, lastAt, staleSince
    }

    /// Reads a piece of evidence field by field.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(Subject.self, forKey: .subject),
            try fields.decode(Source.self, forKey: .source),
            at: try fields.decode(Timestamp.self, forKey: .firstAt)
        )
        times = try fields.decode(UInt32.self, forKey: .count)
        lastAt = try fields.decode(Timestamp.self, forKey: .lastAt)
        staleSince = try fields.decodeIfPresent(Timestamp.self, forKey: .staleSince)
    }

    /// Writes the piece of evidence field by field.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(subject, forKey: .subject)
        try fields.encode(source, forKey: .source)
        try fields.encode(times, forKey: .count)
        try fields.encode(firstAt, forKey: .firstAt)
        try fields.encode(lastAt, forKey: .lastAt)
        try fields.encodeIfPresent(staleSince, forKey: .staleSince)
    }
}

/// That one proof of an address covers a method: the method was used in, or attached by, the session that made the proof.
public struct Coverage: Sendable, Hashable, Codable {
    // In the order that leaves no gaps: most methods have one of these.

    /// When the proof and the method were seen together.
    public let at: Timestamp
    /// The address or number proved.
    public let subject: Evidence.Subject

    package init(_ subject: Evidence.Subject, at date: Timestamp) {
        self.subject = subject
        self.at = date
    }
}
