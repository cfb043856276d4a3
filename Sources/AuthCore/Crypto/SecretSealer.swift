/// Encrypts what must be recovered later, such as the seed of an authenticator app, so that the store cannot read it.
public protocol SecretSealer: Sendable {
    /// Encrypts bytes and binds them to a context, such as the account and the purpose they are for.
    ///
    /// - Parameters:
    ///   - plain: The bytes.
    ///   - context: The context, without which they cannot be decrypted.
    /// - Returns: The encrypted bytes.
    /// - Throws: Any error. The operation then fails with ``AuthErrorCode/internalError`` and the error as the cause.
    func seal(_ plain: [UInt8], context: String) throws -> [UInt8]

    /// Decrypts what was sealed in the same context.
    ///
    /// - Parameters:
    ///   - sealed: The encrypted bytes.
    ///   - context: The context in which they were sealed.
    /// - Returns: The bytes.
    /// - Throws: Any error for bytes that were not sealed by this sealer in this context. The operation then fails with
    ///   ``AuthErrorCode/sealedSecretUnreadable`` and the error as the cause.
    func open(_ sealed: [UInt8], context: String) throws -> [UInt8]

    /// Returns whether the current key sealed this; the service seals anew what a former key sealed, when it is used.
    func isCurrent(_ sealed: [UInt8], context: String) -> Bool
}

extension SecretSealer {
    /// True, for a sealer that has one key, or that takes care of its keys itself.
    public func isCurrent(_ sealed: [UInt8], context: String) -> Bool { true }
}

extension Secret {
    /// Why something cannot be sealed or opened.
    public struct SealingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A sentence for people, without secrets.
        public let description: String

        /// The bytes were changed, truncated, or sealed under another key or for another context; it does not say
        /// which.
        public static let unreadable = SealingError(description: "The sealed bytes cannot be read.")

        /// A sealing key must be exactly 32 bytes long.
        public static let keyLength = SealingError(description: "A sealing key must be 32 bytes long.")
    }
}
