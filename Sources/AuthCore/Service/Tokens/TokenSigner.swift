import AuthCoreCrypto

/// Signs the tokens that a service issues, and verifies their signatures.
///
/// The default signs with HMAC-SHA-256 and a key that never leaves the service. Tokens that other parties verify need
/// an asymmetric signer, which the app provides.
public protocol TokenSigner: Sendable {
    /// The registered name of the algorithm, such as HS256 or ES256; never `none`.
    var algorithm: String { get }

    /// The ID of the current signing key; if it changes while something is signed, that is signed again.
    var keyID: String { get }

    /// Signs the bytes with the current signing key.
    ///
    /// - Parameter input: The bytes.
    /// - Returns: The signature.
    /// - Throws: Any error if it cannot sign. The operation that needs the token then fails with
    ///   ``AuthErrorCode/internalError`` and the error as the cause; a `CancellationError` becomes
    ///   ``AuthErrorCode/canceled``.
    func sign(_ input: [UInt8]) async throws -> [UInt8]

    /// Returns whether the signature of the bytes was made with the key of this ID.
    ///
    /// - Parameters:
    ///   - signature: The signature.
    ///   - input: The bytes.
    ///   - keyID: The ID of the key, as the token names it.
    /// - Returns: Whether the signature is valid; false also for a signature of the wrong form and for an unknown key.
    /// - Throws: Any error, only if it cannot tell, for example because a key service does not answer. The operation
    ///   then fails with ``AuthErrorCode/internalError`` and the error as the cause, or with
    ///   ``AuthErrorCode/canceled`` for a `CancellationError`, and no session ends.
    func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool
}

/// Signs with HMAC-SHA-256; signatures of former keys remain valid.
public struct HMACTokenSigner: TokenSigner {
    /// A key and its ID.
    public struct Key: Sendable {
        /// The key's ID, which is in the header of each token.
        public let id: String
        fileprivate let key: HMACSHA256

        /// Creates a key with this ID.
        ///
        /// - Throws: ``AuthErrorCode/missingSecretKey`` if the secret has less than 32 bytes.
        public init(id: String, secret: [UInt8]) throws(AuthError) {
            if secret.count < 32 { throw AuthError(.missingSecretKey) }
            self.init(id: id, key: HMACSHA256(key: secret))
        }

        fileprivate init(id: String, key: HMACSHA256) {
            self.id = id
            self.key = key
        }
    }

    /// All keys, the current one first.
    private let keys: [Key]
    private var current: Key { keys[0] }

    /// Creates a signer with a current key, and the former keys whose tokens may not have expired yet.
    public init(current: Key, former: [Key] = []) { keys = [current] + former }

    /// Creates a signer with these keys, the current one first; each is named by a fingerprint of it.
    init(_ secrets: [[UInt8]]) {
        keys = secrets.map { secret in
            let key = HMACSHA256(key: secret)
            let fingerprint = key.authenticate(Array("AuthCore key id 1".utf8)).prefix(6)
            return Key(id: Base64URL.encode(Array(fingerprint)), key: key)
        }
    }

    /// The algorithm HS256.
    public var algorithm: String { CompactToken.algorithm }

    /// The ID of the current key.
    public var keyID: String { current.id }

    /// Signs with the current key.
    public func sign(_ input: [UInt8]) async throws -> [UInt8] { current.key.authenticate(input) }

    /// Returns whether the key of this ID made the signature.
    public func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
        guard let key = keys.first(where: { $0.id == keyID }) else { return false }
        return equalInConstantTime(signature, key.key.authenticate(input))
    }
}
