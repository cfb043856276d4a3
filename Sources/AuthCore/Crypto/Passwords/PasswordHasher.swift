/// Hashes passwords for storage, and checks passwords against hashes.
public protocol PasswordHasher: Sendable {
    /// Returns a new hash with its own salt.
    ///
    /// - Parameter password: The password.
    /// - Returns: The hash.
    /// - Throws: ``PasswordHash/HashingError/overloaded`` if too many passwords wait, which becomes
    ///   ``AuthErrorCode/overloaded``. Any other error becomes ``AuthErrorCode/internalError``, and a
    ///   `CancellationError` ``AuthErrorCode/canceled``.
    func hash(_ password: Secret) async throws -> PasswordHash

    /// Returns whether the password matches the hash.
    ///
    /// - Parameters:
    ///   - password: The password that was presented.
    ///   - hash: A stored hash, or the ``placeholder``.
    /// - Returns: Whether the password is correct, and whether to hash it again.
    /// - Throws: An error if this cannot be determined. For a person, a stored hash that cannot be used
    ///   (``PasswordHash/HashingError/malformedHash``, ``PasswordHash/HashingError/unknownScheme`` or
    ///   ``PasswordHash/HashingError/excessiveCost``) is a wrong password, which ``AuthService/refusals(limit:)``
    ///   reports. Any other error becomes what it becomes for ``hash(_:)``.
    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check

    /// Whether passwords can be checked against the hash here, at a cost that a sign-in may have.
    ///
    /// An import asks before it accepts a password. True unless the hasher says otherwise.
    func canCheck(_ hash: PasswordHash) -> Bool

    /// A hash that no password matches, as costly to check as the costliest hash that is stored.
    ///
    /// If there is no account, the password is checked against it, so that the response time does not reveal this.
    /// While hashes of another cost are stored, such as those of an import, the response time shows who has one.
    var placeholder: PasswordHash { get }
}

extension PasswordHasher {
    /// True.
    public func canCheck(_ hash: PasswordHash) -> Bool { true }
}

extension PasswordHash {
    /// The result of checking a password.
    public enum Check: Sendable, Hashable {
        /// The password is correct; `needsRehash` says whether to hash it again, since the cost was raised.
        case matches(needsRehash: Bool)

        /// The password is wrong.
        case differs
    }
}
