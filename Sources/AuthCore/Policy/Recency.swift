/// An operation for which a policy can require a recent login.
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

/// How recent a login must be, and for which operations.
public struct Recency: Sendable, Hashable {
    /// How long a login stays recent.
    public var interval: Duration
    /// The operations that need a recent login.
    public var operations: Set<SensitiveOperation>

    /// Requires a login no older than the interval for these operations.
    public init(interval: Duration, operations: Set<SensitiveOperation>) {
        self.interval = interval
        self.operations = operations
    }
}

/// Whether a session may perform a sensitive operation.
enum SensitivityGate {
    struct Facts: Sendable, Hashable {
        /// Whether the policy requires a recent login for this operation.
        var isListed: Bool
        /// Whether the account has a method to sign in with.
        var hasMethods: Bool
        var isLoginRecent: Bool
        /// Whether the operation is a link, which requires the factor itself.
        var isLink: Bool
        var factor: FactorStatus
        var recencyNeedsFactor: Bool
    }

    static func rule(_ facts: Facts) throws(Refusal) {
        // An account without methods cannot sign in again; its session is the only evidence there can be.
        if !facts.isListed || !facts.hasMethods { return }
        if !facts.isLoginRecent { throw .loginNotRecent }
        if facts.recencyNeedsFactor && !facts.isLink && facts.factor == .owed {
            throw .factorNotShown
        }
    }
}

extension ActingSession {
    /// Refuses the operation if the policy requires a more recent login, or a factor.
    func requireRecency(for operation: SensitiveOperation?, _ context: DecisionContext) throws(Refusal) {
        let policy = context.policy
        guard let operation, policy.recency.operations.contains(operation) else { return }
        try SensitivityGate.rule(
            SensitivityGate.Facts(
                isListed: true,
                hasMethods: !account.methods.isEmpty,
                isLoginRecent: context.now - session.authenticatedAt <= policy.recency.interval,
                isLink: operation == .link,
                factor: account.factorStatus(in: session, shown: nil),
                recencyNeedsFactor: policy.recencyNeedsFactor
            )
        )
    }
}
