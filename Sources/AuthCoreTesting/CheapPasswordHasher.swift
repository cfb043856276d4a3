import AuthCoreCrypto
public import AuthCore

/// A password hasher that is almost free, so that a test suite can sign in thousands of times.
///
/// Its hashes have a tag of their own, which no other hasher accepts. They do not protect a password.
public struct CheapPasswordHasher: PasswordHasher {
    /// A hash that matches no password.
    public let placeholder: PasswordHash

    private static let tag = "cheap"

    /// Creates a hasher.
    ///
    /// Every hasher of this type accepts the hashes of the others.
    public init() {
        placeholder = Self.tagged(salt: randomBytes(8), hash: randomBytes(32))
    }

    /// Hashes a random salt and the password with one SHA-256.
    public func hash(_ password: Secret) async throws -> PasswordHash {
        let salt = randomBytes(8)
        return Self.tagged(salt: salt, hash: Self.digest(password, salt: salt))
    }

    /// Whether the password is right.
    ///
    /// Throws if another hasher made the hash.
    public func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        let (salt, expected) = try Self.parts(of: hash)
        let isEqual = equalInConstantTime(Self.digest(password, salt: salt), expected)
        return isEqual ? .matches(needsRehash: false) : .differs
    }

    /// Whether a hasher of this type made the hash.
    public func canCheck(_ hash: PasswordHash) -> Bool { (try? Self.parts(of: hash)) != nil }

    private static func parts(of hash: PasswordHash) throws(PasswordHash.HashingError) -> (salt: [UInt8], hash: [UInt8])
    {
        let fields = hash.tagged.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard fields.count > 1, fields[0].isEmpty else { throw .malformedHash }
        guard fields[1] == tag else { throw .unknownScheme }
        guard fields.count == 4, let salt = Base64URL.decode(fields[2]), let expected = Base64URL.decode(fields[3])
        else { throw .malformedHash }
        return (salt, expected)
    }

    private static func digest(_ password: Secret, salt: [UInt8]) -> [UInt8] {
        SHA256.hash(salt + Array(password.revealed.utf8))
    }

    private static func tagged(salt: [UInt8], hash: [UInt8]) -> PasswordHash {
        PasswordHash(tagged: "$\(tag)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))")
    }
}
