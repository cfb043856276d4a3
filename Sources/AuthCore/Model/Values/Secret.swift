import AuthCoreCrypto

/// Text that must never be printed, dumped or encoded: a password, a token, a code.
///
/// It is deliberately not `Codable`: a secret that must be stored is hashed or sealed first.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text, for code that checks or hashes it.
    ///
    /// This is the only way to read the text: a search for this name finds every place that does.
    public let revealed: String

    /// Wraps the text, with its bytes unchanged.
    public init(_ text: String) {
        var text = text
        // A bridged string would be transcoded at every reading, in a time that depends on its contents.
        text.makeContiguousUTF8()
        revealed = text
    }

    /// Wraps a literal, as tests and examples do.
    public init(stringLiteral text: String) { self.init(text) }

    var utf8Count: Int { revealed.utf8.count }

    package var isEmpty: Bool { revealed.isEmpty }

    /// Whether both contain the same bytes; for equal lengths, the time does not depend on where they differ.
    public static func == (left: Secret, right: Secret) -> Bool {
        equalInConstantTime(left.revealed.utf8, right.revealed.utf8)
    }

    /// Feeds the bytes to the hasher, so that hashing agrees with `==`, unlike hashing a `String`.
    public func hash(into hasher: inout Hasher) { revealed.hashBytes(into: &hasher) }
}

extension Secret: Concealing {
    /// A fixed placeholder for every text.
    public var description: String { "‹secret›" }
}
