/// The stored form of a password: one tagged string that names scheme, parameters, salt and hash.
///
/// It is encoded as that string and never printed: an attacker who reads a hash in a log can guess the password.
public struct PasswordHash: Sendable, Hashable {
    /// The tagged string, for a store to save.
    public let tagged: String

    /// Creates a hash from a stored tagged string; whether it is valid is found out when a password is checked.
    public init(tagged: String) { self.tagged = tagged }
}

extension PasswordHash: Codable {
    /// Reads the tagged string.
    public init(from decoder: any Decoder) throws { tagged = try decoder.singleValueContainer().decode(String.self) }

    /// Writes the tagged string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tagged)
    }
}

extension PasswordHash: Concealing {
    /// The name of the type, without the hash.
    public var description: String { "PasswordHash" }
}
