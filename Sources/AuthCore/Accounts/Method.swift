/// One way into an account.
public struct Method: Sendable, Hashable {
    /// What the way is, with what is needed to check it.
    ///
    /// All by reference, since methods are copied far oftener than what they hold changes.
    public enum Kind: Sendable, Hashable, Codable {
        /// A password for the account's address.
        indirect case password(PasswordHash)
        /// Links mailed to the account's address.
        case emailLink
        /// Codes sent to a number.
        indirect case phone(PhoneNumber)
        /// An identity at a provider.
        case federated(Identity)
    }

    /// What the way is.
    public var kind: Kind
    /// When it was added.
    public let addedAt: Timestamp
    private var covering: Several<Coverage>
    /// Which secret or subject this is, counted over the account's life; a replaced one gets a new number.
    public var generation: UInt32
    /// What few methods have; nil where this one has none of it.
    private var rare: Boxed<Rare>?

    package init(_ kind: Kind, addedAt: Timestamp, generation: UInt32, coverage: [Coverage] = []) {
        self.kind = kind
        self.addedAt = addedAt
        self.generation = generation
        covering = Several(coverage)
    }
}

/// The fields in which most methods have nothing of their own.
private struct Rare: Sendable, Hashable {
    /// In most the moment at which it was added.
    var seniorSince: Timestamp
    var suspension: Suspension?
}

extension Method {
    private mutating func editRare(_ change: (inout Rare) -> Void) {
        let usual = Rare(seniorSince: addedAt)
        var changed = rare?.value ?? usual
        change(&changed)
        // Nothing rare has one form only, or two equal methods could differ.
        rare = changed == usual ? nil : Boxed(changed)
    }

    /// From when its age counts: a password is as old as the proof that set it.
    public var seniorSince: Timestamp {
        get { rare?.value.seniorSince ?? addedAt }
        set { if rare != nil || newValue != addedAt { editRare { $0.seniorSince = newValue } } }
    }

    /// The proofs that cover it.
    public var coverage: [Coverage] {
        get { covering.all }
        set { covering = Several(newValue) }
    }

    /// Why it cannot be used for now, if it cannot.
    public var suspension: Suspension? {
        get { rare?.value.suspension }
        set { if rare != nil || newValue != nil { editRare { $0.suspension = newValue } } }
    }

    /// Adds a proof that covers it.
    mutating func addCoverage(_ coverage: Coverage) { covering.append(coverage) }

    /// Whether a proof of this subject covers it.
    func isCovered(by subject: Evidence.Subject) -> Bool {
        covering.contains { $0.subject == subject || $0.subject.isTwin(of: subject) }
    }
}

// Written out, since in a record the rare fields stand beside the others.
extension Method: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, addedAt, seniorSince, generation, suspension, coverage
    }

    /// Reads a method field by field.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(Kind.self, forKey: .kind),
            addedAt: try fields.decode(Timestamp.self, forKey: .addedAt),
            generation: try fields.decode(UInt32.self, forKey: .generation),
            coverage: try fields.decode([Coverage].self, forKey: .coverage)
        )
        seniorSince = try fields.decode(Timestamp.self, forKey: .seniorSince)
        suspension = try fields.decodeIfPresent(Suspension.self, forKey: .suspension)
    }

    /// Writes the method field by field.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(addedAt, forKey: .addedAt)
        try fields.encode(seniorSince, forKey: .seniorSince)
        try fields.encode(generation, forKey: .generation)
        try fields.encodeIfPresent(suspension, forKey: .suspension)
        try fields.encode(covering, forKey: .coverage)
    }
}

/// That a method or factor is kept but cannot be used until somebody confirms it.
public struct Suspension: Sendable, Hashable, Codable {
    /// When it was suspended.
    public let since: Timestamp
    /// The reason that the decision named.
    public let reason: Reason

    package init(since: Timestamp, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}

/// Which kind of method a session rests on, or an event is about.
public enum MethodKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A password.
    case password
    /// A mailed link.
    case emailLink
    /// A code sent to a number.
    case phone
    /// An identity at a provider.
    case federated
    /// A token that the app's own server signed.
    case customToken
    /// Nothing at all.
    case anonymous
}

extension Method.Kind {
    /// The kind without its contents.
    public var methodKind: MethodKind {
        switch self {
        case .password: .password
        case .emailLink: .emailLink
        case .phone: .phone
        case .federated: .federated
        }
    }

    /// The provider under which the method is listed; a password and mailed links share one.
    public var provider: ProviderID {
        switch self {
        case .password, .emailLink: .password
        case .phone: .phone
        case .federated(let identity): identity.provider
        }
    }
}

extension Method {
    /// The linked identity, if the method is one.
    public var identity: Identity? {
        guard case .federated(let identity) = kind else { return nil }
        return identity
    }

    /// The key of the linked identity, if the method is one.
    var identityKey: IdentityKey? {
        guard case .federated(let identity) = kind else { return nil }
        return identity.key
    }

    /// Whether nothing suspends it.
    public var isActive: Bool { rare?.value.suspension == nil }
}
