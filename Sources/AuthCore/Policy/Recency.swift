extension AuthPolicy {
    /// An operation for which a policy can require a recent login.
    public enum SensitiveOperation: String, Sendable, Hashable, Codable, CaseIterable {
        /// Adding a method.
        case link
        /// Removing a method.
        case unlink
        /// Changing the address.
        case changeEmail
        /// Changing the password.
        case changePassword
        /// Changing the sign-in number.
        case changePhoneNumber
        /// Enrolling, removing or renaming second factors, and making recovery codes.
        case changeFactors
        /// Deleting the account.
        case delete
    }

    /// How recent a login must be, and for which operations.
    public struct Recency: Sendable, Hashable {
        /// How long a login stays recent; a merge, a move and an undo always need a recent login.
        public var interval: Duration
        /// The operations that need a recent login.
        public var operations: Set<SensitiveOperation>

        /// Requires a login no older than the interval for these operations.
        public init(interval: Duration, operations: Set<SensitiveOperation>) {
            self.interval = interval
            self.operations = operations
        }
    }
}
