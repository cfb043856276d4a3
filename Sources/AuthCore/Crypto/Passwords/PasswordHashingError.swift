import AuthCoreCrypto

extension PasswordHash {
    /// Why a password cannot be hashed or checked.
    public struct HashingError: Error, Hashable, Sendable, CustomStringConvertible {
        let failure: PasswordHashing.Failure

        /// A sentence for people, without secrets.
        public var description: String { failure.description }

        /// Too many passwords are waiting to be hashed; a later attempt may succeed.
        public static let overloaded = HashingError(failure: .overloaded)

        /// The stored string is not a complete password hash.
        public static let malformedHash = HashingError(failure: .malformedHash)

        /// The stored string names a scheme that is not supported by this hasher or on this platform.
        public static let unknownScheme = HashingError(failure: .unknownScheme)

        /// The stored string requires more work than any reasonable setting.
        public static let excessiveCost = HashingError(failure: .excessiveCost)

        /// The scheme returned no result, probably because memory is short.
        public static let failed = HashingError(failure: .failed)

        /// Whether the stored hash is at fault, rather than the moment.
        var isOfHash: Bool { self == .malformedHash || self == .unknownScheme || self == .excessiveCost }
    }
}
