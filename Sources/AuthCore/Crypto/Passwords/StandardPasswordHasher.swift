import AuthCoreCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Hashes passwords with yescrypt if the system has it, and with PBKDF2-HMAC-SHA256 otherwise.
///
/// PBKDF2 hashes can be checked on every platform. A password can have any length and contain any character: the scheme
/// receives the base64 of an HMAC-SHA-256 of its UTF-8 bytes. The work runs on dedicated threads, never on Swift's
/// cooperative ones; copies of one hasher share them.
public struct StandardPasswordHasher: PasswordHasher {
    /// A random hash of the current scheme and cost.
    public let placeholder: PasswordHash

    let pool: HashingPool
    private let scheme: PasswordScheme
    private let salt: @Sendable () -> [UInt8]

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
        self.init(
            scheme: Yescrypt.isAvailable ? .yescrypt(cost: yescryptCost) : .pbkdf2(iterations: iterations),
            workers: workers,
            waiting: waiting,
            salt: { randomBytes(16) }
        )
    }

    /// Uses one scheme, which must be available here, and salts from the given source.
    init(
        scheme: PasswordScheme,
        workers: Int? = nil,
        waiting: Int = 1024,
        salt: @escaping @Sendable () -> [UInt8] = { randomBytes(16) }
    ) {
        self.scheme = scheme.withinBounds
        self.salt = salt
        pool = HashingPool(workers: workers ?? ProcessInfo.processInfo.activeProcessorCount, places: waiting)
        placeholder = Self.placeholder(of: self.scheme)
    }

    /// Returns a new hash with its own salt, of the current scheme and cost.
    public func hash(_ password: Secret) async throws -> PasswordHash {
        try await run { [scheme, salt] in
            let input = Self.input(from: password)
            switch scheme {
            case .pbkdf2(let iterations):
                let salt = salt()
                let hash = Self.pbkdf2(input, salt: salt, iterations: iterations)
                return StoredPassword.pbkdf2(iterations: iterations, salt: salt, hash: hash).tagged
            case .yescrypt(let cost):
                guard let setting = Yescrypt.setting(cost: cost, salt: salt()),
                    let hash = Yescrypt.hash(input, setting: setting)
                else { throw PasswordHash.HashingError.failed }
                return StoredPassword.yescrypt(cost: cost, setting: setting, hash: hash).tagged
            }
        }
    }

    /// Returns whether the password is correct, and whether its hash has a weaker scheme or cost than the current ones.
    public func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        let stored = try StoredPassword(hash)
        if case .yescrypt = stored, !Yescrypt.isAvailable { throw PasswordHash.HashingError.unknownScheme }
        let isEqual = try await run {
            let input = Self.input(from: password)
            switch stored {
            case .pbkdf2(let iterations, let salt, let hash):
                return equalInConstantTime(Self.pbkdf2(input, salt: salt, iterations: iterations), hash)
            case .yescrypt(_, let setting, let hash):
                guard let found = Yescrypt.hash(input, setting: setting) else { throw PasswordHash.HashingError.failed }
                return equalInConstantTime(Array(found.utf8), Array(hash.utf8))
            }
        }
        return isEqual ? .matches(needsRehash: stored.scheme < scheme) : .differs
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await pool.run(work)
        } catch is HashingPool.Overloaded {
            throw PasswordHash.HashingError.overloaded
        }
    }

    /// Whether the hash is of a scheme that is available here, and costs at most four times as much as a new one.
    public func canCheck(_ hash: PasswordHash) -> Bool {
        guard let stored = try? StoredPassword(hash) else { return false }
        if case .yescrypt = stored, !Yescrypt.isAvailable { return false }
        return scheme.allows(stored.scheme)
    }

    private static let preparation = HMACSHA256(key: Array("AuthCore password 1".utf8))

    /// Always 44 characters: no scheme's length limit and no NUL character can truncate a password.
    private static func input(from password: Secret) -> String {
        Data(preparation.authenticate(Array(password.revealed.utf8))).base64EncodedString()
    }

    private static func pbkdf2(_ input: String, salt: [UInt8], iterations: Int) -> [UInt8] {
        PBKDF2.sha256(password: Array(input.utf8), salt: salt, iterations: iterations, length: 32)
    }

    private static func placeholder(of scheme: PasswordScheme) -> PasswordHash {
        if case .yescrypt(let cost) = scheme, let setting = Yescrypt.setting(cost: cost, salt: randomBytes(16)) {
            return StoredPassword.yescrypt(cost: cost, setting: setting, hash: Yescrypt.randomHash()).tagged
        }
        let iterations = if case .pbkdf2(let iterations) = scheme { iterations } else { 600_000 }
        return StoredPassword.pbkdf2(iterations: iterations, salt: randomBytes(16), hash: randomBytes(32)).tagged
    }
}
