/// Turns passwords into something that may be stored, and checks them against it.
public protocol PasswordHasher: Sendable {
    /// A new hash, with a salt of its own.
    func hash(_ password: Secret) async throws -> PasswordHash

    /// Whether the password is the one that was hashed; throws when that could not be found out.
    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordCheck

    /// A hash that nobody's password has, as costly to check as a new one.
    ///
    /// Checking against it when there is no account keeps the time taken from telling so.
    var placeholder: PasswordHash { get }
}

/// The answer of a password hasher.
public enum PasswordCheck: Sendable, Hashable {
    /// The password is right; `needsRehash` says that it should be hashed anew, since costs have risen.
    case matches(needsRehash: Bool)

    /// The password is wrong.
    case differs
}
