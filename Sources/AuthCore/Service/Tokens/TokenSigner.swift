/// Signs the tokens that a service issues, and checks signatures again.
///
/// The default signs with HMAC-SHA-256 and a key that never leaves the service. Tokens that others are to check need an
/// asymmetric signer of the app's own.
public protocol TokenSigner: Sendable {
    /// The registered name of the algorithm, such as HS256 or ES256; never `none`.
    var algorithm: String { get }

    /// The name of the key that signs now.
    var keyID: String { get }

    /// Signs the bytes with the key that signs now.
    func sign(_ input: [UInt8]) async throws -> [UInt8]

    /// Whether the signature of the bytes was made with the key of this name.
    func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool
}

/// Signs with HMAC-SHA-256; older keys still check.
public struct HMACTokenSigner: TokenSigner {
    /// One key and its name.
    public struct Key: Sendable {
        /// The key's name, which tokens carry.
        public let id: String
        fileprivate let key: HMACSHA256

        /// A key of this name; use 32 random bytes.
        public init(id: String, secret: [UInt8]) {
            self.id = id
            key = HMACSHA256(key: secret)
        }
    }

    private let current: Key
    private let former: [Key]

    /// Signs with one key, and checks what former keys signed until their tokens have expired.
    public init(current: Key, former: [Key] = []) {
        self.current = current
        self.former = former
    }

    /// HS256.
    public var algorithm: String { CompactToken.algorithm }

    /// The name of the current key.
    public var keyID: String { current.id }

    /// Signs with the current key.
    public func sign(_ input: [UInt8]) async throws -> [UInt8] { current.key.authenticate(input) }

    /// Whether a key of this name made the signature.
    public func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
        guard let key = ([current] + former).first(where: { $0.id == keyID }) else { return false }
        return equalInConstantTime(signature, key.key.authenticate(input))
    }
}
