/// Something a person shows after their first factor.
public struct SecondFactor: Sendable, Hashable, Codable {
    /// What the factor is.
    public enum Kind: Sendable, Hashable, Codable {
        /// Codes sent to a number.
        case phone(PhoneNumber)
        /// Codes made from a shared seed and the time; the seed is sealed.
        case totp(sealedSeed: [UInt8], lastUsedStep: UInt64?)
    }

    /// Names the factor within its account.
    public let id: FactorID
    /// What the factor is.
    public internal(set) var kind: Kind
    /// The name its owner gave it.
    public internal(set) var displayName: String?
    /// When it was enrolled.
    public let enrolledAt: Timestamp
    /// Which factor this is, in the same count as the account's methods.
    public let generation: UInt32
    /// Why it cannot be used for now, if it cannot.
    public internal(set) var suspension: Suspension?

    package init(id: FactorID, kind: Kind, displayName: String?, enrolledAt: Timestamp, generation: UInt32) {
        self.id = id
        self.kind = kind
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        self.generation = generation
    }

    /// The number, for a phone factor.
    public var phoneNumber: PhoneNumber? {
        guard case .phone(let number) = kind else { return nil }
        return number
    }
}

/// Names a second factor.
public struct FactorID: RandomIdentifier {
    /// The bits themselves.
    public let words: IdentifierWords

    /// Makes the identifier with these bits.
    public init(words: IdentifierWords) { self.words = words }
}

/// A one-time code for the day all factors are lost, kept as a hash.
public struct RecoveryCode: Sendable, Hashable, Codable {
    /// The hash that an offered code is compared with.
    public let hash: [UInt8]

    package init(hash: [UInt8]) { self.hash = hash }
}
