/// Something a person presents in addition to the first factor.
public struct SecondFactor: Sendable, Hashable, Codable {
    /// The kind of factor, with its data.
    public enum Kind: Sendable, Hashable, Codable {
        /// Codes sent to a number.
        case phone(PhoneNumber)
        /// Codes made from a shared seed and the time; the seed is sealed.
        case totp(sealedSeed: [UInt8], lastUsedStep: UInt64?)
    }

    /// The ID of the factor, unique in its account.
    public let id: ID
    /// The kind of factor, with its data.
    public var kind: Kind
    /// The name that the owner gave it.
    public var displayName: String?
    /// When it was enrolled.
    public internal(set) var enrolledAt: Timestamp
    /// The generation number of the factor, from the same counter as the account's methods.
    public let generation: UInt32
    /// Why it cannot be used for now; nil if it can.
    public var suspension: SignInMethod.Suspension?

    /// Creates a factor with these values.
    public init(
        id: ID,
        kind: Kind,
        displayName: String? = nil,
        enrolledAt: Timestamp,
        generation: UInt32,
        suspension: SignInMethod.Suspension? = nil
    ) {
        self.id = id
        self.kind = kind
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        self.generation = generation
        self.suspension = suspension
    }

    /// The number, for a phone factor.
    public var phoneNumber: PhoneNumber? { if case .phone(let number) = kind { number } else { nil } }
}

extension SecondFactor {
    /// The ID of a second factor.
    public struct ID: RandomIdentifier {
        /// The bits of the ID.
        public let words: IdentifierWords

        /// Creates the ID with these bits.
        public init(words: IdentifierWords) { self.words = words }
    }

    /// A code for one use when all factors are lost, stored as a hash.
    public struct RecoveryCode: Sendable, Hashable, Codable {
        /// The hash that a presented code is compared with.
        public let hash: [UInt8]

        /// Creates a code from its hash.
        public init(hash: [UInt8]) { self.hash = hash }
    }
}
