/// What a merge, or the move of one identity, does to both accounts.
///
/// A preview shows it, every hook is given it, and its description says it in plain words. Nothing in it is secret.
public struct MergePlan: Sendable, Hashable, Codable {
    /// The account that gives.
    public let source: AccountID
    /// The account that receives.
    public let target: AccountID
    /// What a person recognises the account by that gives: an address, a number, a name.
    public internal(set) var sourceName = ""
    /// What a person recognises the account by that receives.
    public internal(set) var targetName = ""
    /// The one identity that moves; nil where the whole account goes.
    public let identity: IdentityKey?
    /// The providers for which the source's method was chosen, where both sides have one.
    public let choices: [ProviderID]
    /// The ways in that move.
    public internal(set) var moves: [Way] = []
    /// The ways in that do not move, and why; after a merge they open nothing any more.
    public internal(set) var stays: [Staying<Way>] = []
    /// The target's ways in that make room for chosen ones of the source.
    public internal(set) var yieldsEmail: [Way] = []
    /// The address that moves.
    public internal(set) var movedAddress: String?
    /// The address that nobody owns after the merge.
    public internal(set) var releasedAddress: String?
    /// The second factors that move.
    public internal(set) var factors: [Factor] = []
    /// The second factors that do not move, and why.
    public internal(set) var stayingFactors: [Staying<Factor>] = []
    /// How many recovery codes of the source stop working; they never move.
    public internal(set) var lostRecoveryCodes = 0
    /// The fields of the target's profile that the source fills.
    public internal(set) var profile: [ProfileField] = []
    /// The names of the source's custom claims; claims never move by themselves.
    public internal(set) var stayingClaims: [String] = []
    /// Everything that opens the target afterwards.
    public internal(set) var opens: [Way] = []

    init(source: AccountID, target: AccountID, identity: IdentityKey?, choices: Set<ProviderID>) {
        self.source = source
        self.target = target
        self.identity = identity
        self.choices = choices.sorted()
    }
}

extension MergePlan {
    /// A way into an account.
    public struct Way: Sendable, Hashable, Codable {
        /// What kind of method it is.
        public let kind: MethodKind
        /// The provider under which it is listed.
        public let provider: ProviderID
        /// The identity's key, for a federated method.
        public let identity: IdentityKey?
        /// What a person recognises it by, such as “Google (ann@gmail.com)”.
        public let name: String
        /// Which of its account's methods it is.
        public let generation: UInt32
        /// Whether it cannot be used until somebody confirms it.
        public let isSuspended: Bool
    }

    /// A second factor.
    public struct Factor: Sendable, Hashable, Codable {
        /// Names the factor within its account.
        public let id: FactorID
        /// What a person recognises it by.
        public let name: String
    }

    /// Something that stays behind.
    public struct Staying<Thing: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
        /// What stays behind.
        public let thing: Thing
        /// Why it does.
        public let why: Collision

        init(thing: Thing, why: Collision) {
            self.thing = thing
            self.why = why
        }
    }

    /// Why something does not move.
    public enum Collision: String, Sendable, Hashable, Codable, CaseIterable {
        /// The target has a method of the same provider, which stays.
        case targetHasProvider
        /// The target has a sign-in number, which stays.
        case targetHasNumber
        /// The target has an address, which stays; a password and mailed links belong to theirs.
        case targetHasAddress
        /// The number is a second factor of the target, and so cannot sign in.
        case numberIsFactor
        /// The number signs in to the target, and so cannot be a second factor.
        case numberSignsIn
        /// The target has the same factor.
        case targetHasFactor
        /// The target would have more second factors than the policy allows.
        case factorLimit
    }

    /// A field of the profile.
    public enum ProfileField: String, Sendable, Hashable, Codable, CaseIterable {
        /// The name shown to others.
        case displayName
        /// The picture shown to others.
        case photoURL
    }
}

extension MergePlan.Way {
    init(_ method: SignInMethod, of account: Account) {
        kind = method.kind.methodKind
        provider = method.kind.provider
        identity = method.identity?.key
        generation = method.generation
        isSuspended = !method.isActive
        let address = account.email?.text ?? "no address"
        name =
            switch method.kind {
            case .password: "the password for \(address)"
            case .emailLink: "links mailed to \(address)"
            case .phone(let number): "the number \(number.text)"
            case .federated(let identity): "\(identity.provider.plainName) (\(identity.plainName))"
            }
    }
}

extension MergePlan.Factor {
    init(_ factor: SecondFactor) {
        id = factor.id
        let plain =
            switch factor.kind {
            case .phone(let number): "codes sent to \(number.masked)"
            case .totp: "an authenticator app"
            }
        name = factor.displayName.map { "\(plain) (“\($0)”)" } ?? plain
    }
}

extension ProviderID {
    /// The provider as people call it.
    var plainName: String {
        switch self {
        case .google: "Google"
        case .facebook: "Facebook"
        case .gitHub: "GitHub"
        case .apple: "Apple"
        case .twitter: "X"
        case .microsoft: "Microsoft"
        case .password: "password"
        case .phone: "telephone"
        default: rawValue
        }
    }
}

extension Identity {
    /// What a person recognises the identity by.
    fileprivate var plainName: String { username ?? email?.text ?? displayName ?? key.subject.text }
}
