/// One way to sign in to an account.
public struct SignInMethod: Sendable, Hashable {
    /// The kind of method, with the data needed to verify it; by reference, since methods are copied often.
    public indirect enum Kind: Sendable, Hashable {
        /// A password for the account's address.
        case password(PasswordHash)
        /// Links mailed to the account's address.
        case emailLink
        /// Codes sent to a number.
        case phone(PhoneNumber)
        /// An identity at a provider.
        case federated(Identity)
    }

    /// The kind of method, with its data.
    public var kind: Kind
    /// When it was added.
    public internal(set) var addedAt: Timestamp
    /// From when its age counts: for a password, from the verification that allowed it to be set.
    public var seniorSince: Timestamp
    /// The generation number, from a counter of the account; a replaced method gets a new number.
    public var generation: UInt32
    /// Why it cannot be used for now; nil if it can.
    public var suspension: Suspension?
    /// The verifications that cover it.
    public var coverage: [Evidence.Verification]

    /// Creates a method whose age counts from when it was added.
    public init(_ kind: Kind, addedAt: Timestamp, generation: UInt32, coverage: [Evidence.Verification] = []) {
        self.kind = kind
        self.addedAt = addedAt
        seniorSince = addedAt
        self.generation = generation
        self.coverage = coverage
    }
}

extension SignInMethod {
    /// Whether it is not suspended.
    public var isActive: Bool { suspension == nil }

    /// When it was added, or confirmed after a suspension: its age without one that was passed on to a password.
    var setAt: Timestamp { max(addedAt, seniorSince) }

    /// Why a method or factor cannot be used until its owner confirms it.
    public struct Suspension: Sendable, Hashable, Codable {
        /// When it was suspended.
        public internal(set) var since: Timestamp
        /// The reason for the suspension.
        public let reason: Reason

        /// Creates a suspension with these values.
        public init(since: Timestamp, reason: Reason) {
            self.since = since
            self.reason = reason
        }
    }
}

/// The kind of method that a session is based on, or that an event is about.
public enum MethodKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A password.
    case password
    /// Sign-in links.
    case emailLink
    /// A code sent to a number.
    case phone
    /// An identity at a provider.
    case federated
    /// A token that the app's own server signed.
    case customToken
    /// No credential.
    case anonymous
}

extension SignInMethod.Kind {
    /// The kind without its data.
    public var methodKind: MethodKind {
        switch self {
        case .password: .password
        case .emailLink: .emailLink
        case .phone: .phone
        case .federated: .federated
        }
    }

    /// Whether it signs in under the account's address: a password, or mailed links.
    var isOfAddress: Bool { methodKind == .password || methodKind == .emailLink }

    /// Whether both are a method of the same kind and provider, of which an account has one.
    func isSameKind(as other: SignInMethod.Kind) -> Bool {
        methodKind == other.methodKind && provider == other.provider
    }

    /// Whether both are the same identity or number, or both a password or mailed links.
    func isSameMethod(as other: SignInMethod.Kind) -> Bool {
        switch (self, other) {
        case (.federated(let left), .federated(let right)): left.key == right.key
        case (.phone(let left), .phone(let right)): left == right
        case (.password, .password), (.emailLink, .emailLink): true
        default: false
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

    /// The name that tells mailed links from a password; otherwise the provider.
    var name: ProviderID { methodKind == .emailLink ? .emailLink : provider }
}

extension SignInMethod {
    /// The linked identity; nil for other kinds of method.
    public var identity: Identity? { if case .federated(let identity) = kind { identity } else { nil } }

    /// Whether this is the identity, and the provider says the same about it.
    func isIdentity(_ other: Identity) -> Bool {
        if case .federated(let identity) = kind { identity == other } else { false }
    }

    /// Whether this is the identity with the key.
    func isIdentity(_ key: Identity.Key) -> Bool {
        if case .federated(let identity) = kind { identity.key == key } else { false }
    }
}
