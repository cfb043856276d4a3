import AuthCoreCrypto

/// Hashes passwords with yescrypt if the system has it, and with PBKDF2-HMAC-SHA256 otherwise.
///
/// PBKDF2 hashes can be checked on every platform. A password can have any length and contain any character: the scheme
/// receives the base64 of an HMAC-SHA-256 of its UTF-8 bytes. The work runs on dedicated threads, never on Swift's
/// cooperative ones; copies of one hasher share them.
public struct StandardPasswordHasher: PasswordHasher {
    let hashing: PasswordHashing

    /// Creates a hasher with these costs; the defaults are suitable for a server.
    ///
    /// - Parameters:
    ///   - yescryptCost: Yescrypt's cost factor from 1 to 10. Each step doubles time and memory; 5 uses 16 MiB.
    ///   - iterations: PBKDF2's number of iterations, from 1 to 10 million.
    ///   - workers: How many passwords are hashed at once; by default the number of active processors.
    ///   - waiting: How many more can wait before `PasswordHash.HashingError.overloaded` is thrown.
    ///
    /// A cost outside its range is replaced by the nearest one within it.
    public init(yescryptCost: Int = 5, iterations: Int = 600_000, workers: Int? = nil, waiting: Int = 1024) {
        hashing = PasswordHashing(
            yescryptCost: yescryptCost,
            iterations: iterations,
            workers: workers,
            waiting: waiting
        )
    }

    /// Uses this hashing; only tests choose it.
    init(_ hashing: PasswordHashing) { self.hashing = hashing }

    /// A random hash of the current scheme and cost.
    public var placeholder: PasswordHash { PasswordHash(tagged: hashing.placeholder) }

    /// Returns a new hash with its own salt, of the current scheme and cost.
    ///
    /// - Throws: A ``PasswordHash/HashingError``.
    public func hash(_ password: Secret) async throws -> PasswordHash {
        do {
            return PasswordHash(tagged: try await hashing.hash(password.revealed))
        } catch let failure as PasswordHashing.Failure {
            throw PasswordHash.HashingError(failure: failure)
        }
    }

    /// Returns whether the password is correct, and whether its hash has a weaker scheme or cost than the current ones.
    ///
    /// - Throws: A ``PasswordHash/HashingError``.
    public func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        do {
            let (matches, needsRehash) = try await hashing.check(password.revealed, against: hash.tagged)
            return matches ? .matches(needsRehash: needsRehash) : .differs
        } catch let failure as PasswordHashing.Failure {
            throw PasswordHash.HashingError(failure: failure)
        }
    }

    /// Whether the hash is of a scheme that is available here, and its cost is at most four times that of a new one or
    /// the usual one.
    public func canCheck(_ hash: PasswordHash) -> Bool { hashing.canCheck(hash.tagged) }
}
