import AuthCoreCrypto

/// Encrypts secrets with a key of 32 bytes, in the same format on every platform; former keys can still decrypt.
public struct KeyedSecretSealer: SecretSealer {
    private let keys: SealingKeys

    /// Creates a sealer with an existing key, which also decrypts what former keys sealed.
    ///
    /// - Parameters:
    ///   - key: 32 random bytes.
    ///   - former: The keys that were used before, of 32 bytes each.
    /// - Throws: ``Secret/SealingError/keyLength`` if a key does not have 32 bytes.
    public init(key: [UInt8], former: [[UInt8]] = []) throws(Secret.SealingError) {
        guard key.count == 32, former.allSatisfy({ $0.count == 32 }) else { throw .keyLength }
        self.init([key] + former)
    }

    /// Creates a sealer with a random key; what is sealed can be opened only by this value and its copies.
    public init() { self.init([randomBytes(32)]) }

    /// Uses keys of 32 bytes, the current one first.
    init(_ keys: [[UInt8]]) { self.keys = SealingKeys(keys) }

    /// Encrypts bytes and binds them to a context; sealing the same bytes twice gives different results.
    public func seal(_ plain: [UInt8], context: String) -> [UInt8] { keys.seal(plain, context: context) }

    /// Decrypts what was sealed under one of the keys in the same context.
    ///
    /// - Throws: ``Secret/SealingError/unreadable`` for anything else.
    public func open(_ sealed: [UInt8], context: String) throws(Secret.SealingError) -> [UInt8] {
        guard let plain = keys.open(sealed, context: context) else { throw .unreadable }
        return plain
    }

    /// Returns whether the first key sealed this.
    public func isCurrent(_ sealed: [UInt8], context: String) -> Bool { keys.isCurrent(sealed, context: context) }
}
