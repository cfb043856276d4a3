/// Passwords that an app denies, for example those that are known from breaches.
///
/// It is asked where a password is set, never where one is compared, and only for passwords that the policy's
/// ``AuthPolicy/PasswordRule`` accepts.
public protocol PasswordBlocklist: Sendable {
    /// Returns whether the password is denied.
    ///
    /// Return false to accept passwords while the list cannot be asked.
    ///
    /// - Parameter password: The password.
    /// - Returns: Whether the password is denied.
    /// - Throws: Any error if the list cannot be asked. The password is then refused with
    ///   ``AuthErrorCode/networkError`` and the error as the cause; a `CancellationError` becomes
    ///   ``AuthErrorCode/canceled``.
    func contains(_ password: Secret) async throws -> Bool
}
