/// What a policy may ask a recent login for.
public enum SensitiveOperation: Sendable, Hashable, CaseIterable {
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
    /// Enrolling, removing or renaming second factors.
    case changeFactors
    /// Deleting the account.
    case delete
}

/// How fresh a login must be, and for what.
public struct Recency: Sendable, Hashable {
    /// How long a login stays recent.
    public var interval: Duration
    /// What needs a recent login.
    public var operations: Set<SensitiveOperation>

    /// A login no older than this, for these operations.
    public init(interval: Duration, operations: Set<SensitiveOperation>) {
        self.interval = interval
        self.operations = operations
    }
}
