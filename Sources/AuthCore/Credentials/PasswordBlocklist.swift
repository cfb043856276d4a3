/// Passwords that an app denies, for example those that are known from breaches.
///
/// It is asked where a password is set, never where one is compared, and only for passwords that the policy's
/// ``AuthPolicy/PasswordRule`` accepts.
public protocol PasswordBlocklist: Sendable {
    /// Returns whether the password is denied.
    ///
    /// An error refuses the password with ``AuthErrorCode/networkError``; return false to accept passwords while the
    /// list cannot be asked.
    func contains(_ password: Secret) async throws -> Bool
}
