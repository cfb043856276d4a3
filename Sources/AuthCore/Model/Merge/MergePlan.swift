extension Merge {
    /// What a merge, or the move of one identity, does to both accounts.
    ///
    /// A preview displays it, every hook receives it, and its description explains it. It contains nothing secret.
    public struct Plan: Sendable, Hashable, Codable {
        /// The account that is merged, or that the identity leaves.
        public let source: AccountID
        /// The account that receives the methods.
        public let target: AccountID
        /// A text by which a person recognizes the source account: an address, a number, a name.
        public var sourceName = ""
        /// A text by which a person recognizes the target account.
        public var targetName = ""
        /// The one identity that moves; nil if the whole account is merged.
        public let identity: Identity.Key?
        /// The providers for which the source's method was chosen, if both sides have one.
        public let choices: [ProviderID]
        /// The sign-in methods that move.
        public var moves: [Method] = []
        /// The sign-in methods that do not move, and why; after a merge they can no longer be used.
        public var stays: [Staying<Method>] = []
        /// The target's sign-in methods that are replaced by chosen ones of the source.
        public var replaced: [Method] = []
        /// The address that moves.
        public var movedAddress: String?
        /// The address that no account owns after the merge.
        public var releasedAddress: String?
        /// The second factors that move.
        public var factors: [Factor] = []
        /// The second factors that do not move, and why.
        public var stayingFactors: [Staying<Factor>] = []
        /// How many recovery codes of the source become invalid; they never move.
        public var lostRecoveryCodes = 0
        /// The empty fields of the target's profile that the source fills.
        public var profile: [ProfileField] = []
        /// The names of the source's custom claims; claims are never moved.
        public var stayingClaims: [String] = []
        /// The target's sign-in methods after the merge.
        public var opens: [Method] = []

        /// Creates a plan that moves nothing yet.
        public init(source: AccountID, target: AccountID, identity: Identity.Key?, choices: Set<ProviderID>) {
            self.source = source
            self.target = target
            self.identity = identity
            self.choices = choices.sorted()
        }
    }
}

extension Merge.Plan {
    /// A sign-in method in a plan.
    public struct Method: Sendable, Hashable, Codable {
        /// What kind of method it is.
        public let kind: MethodKind
        /// The provider under which it is listed.
        public let provider: ProviderID
        /// The identity's key, for a federated method.
        public let identity: Identity.Key?
        /// A text by which a person recognizes it, such as “Google (ann@gmail.com)”.
        public let name: String
        /// The method's generation number in its account.
        public let generation: UInt32
        /// Whether it is suspended until its owner confirms it.
        public let isSuspended: Bool

        /// Creates a method of a plan with these values.
        public init(
            kind: MethodKind,
            provider: ProviderID,
            identity: Identity.Key?,
            name: String,
            generation: UInt32,
            isSuspended: Bool
        ) {
            self.kind = kind
            self.provider = provider
            self.identity = identity
            self.name = name
            self.generation = generation
            self.isSuspended = isSuspended
        }
    }

    /// A second factor.
    public struct Factor: Sendable, Hashable, Codable {
        /// The ID of the factor, unique in its account.
        public let id: SecondFactor.ID
        /// A text by which a person recognizes it.
        public let name: String

        /// Creates a factor of a plan with these values.
        public init(id: SecondFactor.ID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// Something that does not move.
    public struct Staying<Thing: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
        /// What does not move.
        public let thing: Thing
        /// The reason.
        public let why: Collision

        /// Creates a thing that stays, with the reason.
        public init(thing: Thing, why: Collision) {
            self.thing = thing
            self.why = why
        }
    }

    /// Why something does not move.
    public enum Collision: String, Sendable, Hashable, Codable, CaseIterable {
        /// The target has a method of the same provider, which it keeps.
        case targetHasProvider
        /// The target has a sign-in number, which it keeps.
        case targetHasNumber
        /// The target has an address, which it keeps; a password and sign-in links belong to the source's address.
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
        /// The display name.
        case displayName
        /// The URL of the profile picture.
        case photoURL
    }
}

extension Merge.Plan.Method {
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
            case .federated(let identity):
                "\(MergeTexts.name(ofProvider: identity.provider.rawValue)) (\(identity.plainName))"
            }
    }
}

extension Merge.Plan.Factor {
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

extension Identity {
    /// A text by which a person recognizes the identity.
    fileprivate var plainName: String { username ?? email?.text ?? displayName ?? key.subject.text }
}
