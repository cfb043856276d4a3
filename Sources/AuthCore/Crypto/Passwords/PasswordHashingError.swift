extension PasswordHash {
    /// Why a password cannot be hashed or checked.
    public struct HashingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A sentence for people, without secrets.
        public let description: String

        /// Too many passwords are waiting to be hashed; a later attempt may succeed.
        public static let overloaded = HashingError(description: "Too many passwords are waiting to be hashed.")

        /// The stored string is not a complete password hash.
        public static let malformedHash = HashingError(description: "The stored password hash is malformed.")

        /// The stored string names a scheme that is not supported by this hasher or on this platform.
        public static let unknownScheme = HashingError(
            description: "The stored password hash is of a scheme that is not available here."
        )

        /// The stored string requires more work than any reasonable setting.
        public static let excessiveCost = HashingError(
            description: "The stored password hash asks for an excessive amount of work."
        )

        /// The scheme returned no result, probably because memory is short.
        public static let failed = HashingError(description: "The password could not be hashed.")

        /// Whether the stored hash is at fault, rather than the moment.
        var isOfHash: Bool { self == .malformedHash || self == .unknownScheme || self == .excessiveCost }
    }
}
