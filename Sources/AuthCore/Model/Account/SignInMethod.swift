/// One way into an account.
public struct SignInMethod: Sendable, Hashable, Codable {
    /// What the method is, with what is needed to check it; by reference, since methods are copied often.
    public indirect enum Kind: Sendable, Hashable, Codable {
        /// A password for the account's address.
        case password(PasswordHash)
        /// Links mailed to the account's address.
        case emailLink
        /// Codes sent to a number.
        case phone(PhoneNumber)
        /// An identity at a provider.
        case federated(Identity)
    }

    /// What the method is.
    public internal(set) var kind: Kind
    /// When it was added.
    public let addedAt: Timestamp
    /// From when its age counts: a password is as old as the proof that set it.
    public internal(set) var seniorSince: Timestamp
    /// Which secret or subject this is, counted over the account's life; a replaced one gets a new number.
    public internal(set) var generation: UInt32
    /// Why it cannot be used for now, if it cannot.
    public internal(set) var suspension: Suspension?
    /// The proofs that cover it.
    public internal(set) var coverage: [Coverage]

    package init(_ kind: Kind, addedAt: Timestamp, generation: UInt32, coverage: [Coverage] = []) {
        self.kind = kind
        self.addedAt = addedAt
        seniorSince = addedAt
        self.generation = generation
        self.coverage = coverage
    }
}

extension SignInMethod {
    /// Whether nothing suspends it.
    public var isActive: Bool { suspension == nil }

    /// Whether a proof of this subject covers it.
    func isCovered(by subject: Evidence.Subject) -> Bool {
        coverage.contains { $0.subject == subject || $0.subject.isTwin(of: subject) }
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

extension SignInMethod.Kind {
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

extension SignInMethod {
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
}
