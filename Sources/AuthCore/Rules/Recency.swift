#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a policy may ask a recent login for.
public enum SensitiveOperation: String, Sendable, Hashable, CaseIterable {
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
    /// How many seconds a login stays recent.
    public var interval: Double
    /// What needs a recent login.
    public var operations: Set<SensitiveOperation>

    /// A recent login of so many seconds for these operations.
    public init(interval: Double, operations: Set<SensitiveOperation>) {
        self.interval = interval
        self.operations = operations
    }
}

extension AuthPolicy {
    /// Whether the login of a session is too old for an operation.
    ///
    /// An account without any method has nothing to log in with; its living session is all it can show.
    package func refusal(of operation: SensitiveOperation?, for acting: ActingSession, at now: Date) -> Refusal? {
        guard let operation, recency.operations.contains(operation), !acting.account.methods.isEmpty else { return nil }
        if now.timeIntervalSince(acting.session.authenticatedAt) > recency.interval {
            return Refusal(.requiresRecentLogin, .loginIsNotRecent)
        }
        // Adding a method asks for the factor itself; everything else wants a session that has shown it.
        if recencyNeedsFactor, operation != .link,
            acting.account.factorStanding(in: acting.session, shown: nil) == .owed
        {
            return Refusal(.requiresRecentLogin, .secondFactorIsOwed)
        }
        return nil
    }
}
