import AuthCoreFoundation

/// Hashes passwords with yescrypt if the system has it, and with PBKDF2-HMAC-SHA256 otherwise.
///
/// A scheme receives the base64 of an HMAC-SHA-256 of the password's UTF-8 bytes, and the work runs on dedicated
/// threads, which copies share.
package struct PasswordHashing: Sendable {
    /// Why a password cannot be hashed or checked.
    package enum Failure: String, Error {
        case overloaded = "Too many passwords are waiting to be hashed."
        case malformedHash = "The stored password hash is malformed."
        case unknownScheme = "The stored password hash is of a scheme that is not available here."
        case excessiveCost = "The stored password hash asks for an excessive amount of work."
        case failed = "The password could not be hashed."

        /// A sentence for people, without secrets.
        package var description: String { rawValue }
    }

    /// A random hash of the current scheme and cost.
    package let placeholder: String

    let pool: HashingPool
    private let scheme: PasswordScheme
    private let salt: @Sendable () -> [UInt8]

    /// Uses yescrypt at this cost where it is available, and else this many iterations of PBKDF2.
    package init(yescryptCost: Int, iterations: Int, workers: Int?, waiting: Int) {
        self.init(
            scheme: Yescrypt.isAvailable ? .yescrypt(cost: yescryptCost) : .pbkdf2(iterations: iterations),
            workers: workers,
            waiting: waiting
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
    package func hash(_ password: String) async throws -> String {
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
                else { throw Failure.failed }
                return StoredPassword.yescrypt(cost: cost, setting: setting, hash: hash).tagged
            }
        }
    }

    /// Returns whether the password is correct, and whether its hash has a weaker scheme or cost than the current ones.
    package func check(
        _ password: String,
        against hash: String
    ) async throws -> (matches: Bool, needsRehash: Bool) {
        let stored = try StoredPassword(hash)
        if case .yescrypt = stored, !Yescrypt.isAvailable { throw Failure.unknownScheme }
        let isEqual = try await run {
            let input = Self.input(from: password)
            switch stored {
            case .pbkdf2(let iterations, let salt, let hash):
                return equalInConstantTime(Self.pbkdf2(input, salt: salt, iterations: iterations), hash)
            case .yescrypt(_, let setting, let hash):
                guard let found = Yescrypt.hash(input, setting: setting) else { throw Failure.failed }
                return equalInConstantTime(Array(found.utf8), Array(hash.utf8))
            }
        }
        return (isEqual, stored.scheme < scheme)
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await pool.run(work)
        } catch is HashingPool.Overloaded {
            throw Failure.overloaded
        }
    }

    /// Whether the hash is of a scheme that is available here, and its cost is at most four times that of a new one or
    /// the usual one.
    package func canCheck(_ hash: String) -> Bool {
        guard let stored = try? StoredPassword(hash) else { return false }
        if case .yescrypt = stored, !Yescrypt.isAvailable { return false }
        return scheme.allows(stored.scheme)
    }

    private static let preparation = HMACSHA256(key: Array("AuthCore password 1".utf8))

    /// Always 44 characters: no scheme's length limit and no NUL character can truncate a password.
    private static func input(from password: String) -> String {
        Data(preparation.authenticate(Array(password.utf8))).base64EncodedString()
    }

    private static func pbkdf2(_ input: String, salt: [UInt8], iterations: Int) -> [UInt8] {
        PBKDF2.sha256(password: Array(input.utf8), salt: salt, iterations: iterations, length: 32)
    }

    private static func placeholder(of scheme: PasswordScheme) -> String {
        if case .yescrypt(let cost) = scheme, let setting = Yescrypt.setting(cost: cost, salt: randomBytes(16)) {
            return StoredPassword.yescrypt(cost: cost, setting: setting, hash: Yescrypt.randomHash()).tagged
        }
        let iterations = if case .pbkdf2(let iterations) = scheme { iterations } else { 600_000 }
        return StoredPassword.pbkdf2(iterations: iterations, salt: randomBytes(16), hash: randomBytes(32)).tagged
    }
}
