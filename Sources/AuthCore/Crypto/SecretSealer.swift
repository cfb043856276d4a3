/// Keeps what must be recovered later, such as the seed of an authenticator app, unreadable to the store.
public protocol SecretSealer: Sendable {
    /// Encrypts bytes and binds them to a context, such as the account and the purpose they are for.
    func seal(_ plain: [UInt8], context: String) throws -> [UInt8]

    /// Gives back what was sealed in the same context, and throws for anything else.
    func open(_ sealed: [UInt8], context: String) throws -> [UInt8]
}

/// Why something could not be sealed or opened.
public struct SealingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for people, without anything secret in it.
    public let description: String

    /// The bytes were changed, cut off, sealed under another key or for another context; which of these stays open.
    public static let unreadable = SealingError(description: "The sealed bytes cannot be read.")

    /// A sealing key must be exactly 32 bytes long.
    public static let keyLength = SealingError(description: "A sealing key must be 32 bytes long.")
}
