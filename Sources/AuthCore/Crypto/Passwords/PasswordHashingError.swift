/// Why a password could be neither hashed nor checked.
public struct PasswordHashingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for people, without anything secret in it.
    public let description: String

    /// Too many passwords are waiting already; trying again later may succeed.
    public static let overloaded = PasswordHashingError(description: "Too many passwords are waiting to be hashed.")

    /// The stored string is not a password hash, or not a whole one.
    public static let malformedHash = PasswordHashingError(description: "The stored password hash is malformed.")

    /// The stored string names a scheme that this hasher, or this platform, does not have.
    public static let unknownScheme = PasswordHashingError(
        description: "The stored password hash is of a scheme that is not available here."
    )

    /// The stored string asks for more work than any sensible setting does.
    public static let excessiveCost = PasswordHashingError(
        description: "The stored password hash asks for an excessive amount of work."
    )

    /// The scheme gave no result, most likely for want of memory.
    public static let failed = PasswordHashingError(description: "The password could not be hashed.")
}
