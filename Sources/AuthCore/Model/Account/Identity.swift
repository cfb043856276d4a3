extension Identity {
    /// The unique key of an identity: issuer and subject, compared byte for byte.
    public struct Key: Sendable, Hashable, CustomStringConvertible {
        /// The issuer, including its tenant if there is one.
        public let issuer: ExactText
        /// The issuer's permanent ID of the person; never a user name or an address.
        public let subject: ExactText

        /// Creates the key of this subject at this issuer.
        public init(issuer: String, subject: String) {
            self.issuer = ExactText(issuer)
            self.subject = ExactText(subject)
        }

        /// The issuer and the subject.
        public var description: String { "\(issuer) \(subject)" }
    }
}

extension Identity.Key: RecordList {
    /// Reads the issuer and the subject.
    init(reading list: inout RecordListReader) throws { self.init(issuer: try list.text(), subject: try list.text()) }

    /// Writes the issuer and the subject.
    func write(to list: inout RecordListWriter) throws {
        try list.add(issuer)
        try list.add(subject)
    }
}

/// One linked provider identity.
public struct Identity: Sendable, Hashable {
    /// The unique key.
    public internal(set) var key: Key
    /// The provider, as the app names it.
    public internal(set) var provider: ProviderID
    /// The address in the provider's latest assertion.
    public internal(set) var email: EmailAddress?
    /// The provider's assurance about that address.
    public internal(set) var assurance: EmailAssurance
    /// The name the provider gave.
    public let displayName: String?
    /// The picture in the provider's assertion.
    public let photoURL: String?
    /// The user name at the provider, for display only.
    public let username: String?

    /// Creates an identity with these values.
    public init(
        key: Key,
        provider: ProviderID,
        email: EmailAddress? = nil,
        assurance: EmailAssurance = .claimed,
        displayName: String? = nil,
        photoURL: String? = nil,
        username: String? = nil
    ) {
        self.key = key
        self.provider = provider
        self.email = email
        self.assurance = assurance
        self.displayName = displayName
        self.photoURL = photoURL
        self.username = username
    }
}

extension Identity {
    /// Whether its issuer and its subject can identify a person, and no text is long.
    var isBounded: Bool {
        key.issuer.text.isIdentifying && key.subject.text.isIdentifying
            && [displayName, photoURL, username].allSatisfy { $0?.isBounded ?? true }
    }
}
