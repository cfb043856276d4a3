/// What is stored of a password: one tagged string that names scheme, parameters, salt and hash.
///
/// It is encoded as that string, and never shown: a hash in a log is a password to be guessed.
public struct PasswordHash: Sendable, Hashable {
    /// The tagged string, for a store to keep.
    public var tagged: String

    /// Takes a tagged string from a store; whether it can be used shows when a password is checked against it.
    public init(tagged: String) { self.tagged = tagged }
}

extension PasswordHash: Codable {
    /// Reads the tagged string.
    public init(from decoder: any Decoder) throws {
        tagged = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the tagged string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tagged)
    }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that this is a password hash, and nothing about it.
    public var description: String { "PasswordHash" }

    /// Says that this is a password hash, and nothing about it.
    public var debugDescription: String { "PasswordHash" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
