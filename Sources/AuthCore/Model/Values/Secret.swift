/// Text that must never be printed, dumped or encoded: a password, a token, a code.
///
/// It is deliberately not `Codable`: what has to be kept is hashed or sealed first.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text itself, for whoever checks or hashes it.
    ///
    /// It is the only way to read it: a search for this word finds every place that does.
    public let revealed: String

    /// Wraps the text, byte for byte as it was given.
    public init(_ text: String) {
        var text = text
        // A bridged string would be transcoded at every reading, in a time that depends on what it holds.
        text.makeContiguousUTF8()
        revealed = text
    }

    /// Wraps a literal, as tests and examples do.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    package var utf8Count: Int { revealed.utf8.count }

    package var isEmpty: Bool { revealed.isEmpty }

    /// Whether both hold the same bytes; for equal lengths the time taken says nothing about where they differ.
    public static func == (left: Secret, right: Secret) -> Bool {
        left.utf8Count == right.utf8Count && haveSameBytes(left.revealed.utf8, right.revealed.utf8)
    }

    /// Feeds the bytes to the hasher, so that hashing agrees with `==` where `String` would fold equivalent spellings.
    public func hash(into hasher: inout Hasher) {
        for byte in revealed.utf8 {
            hasher.combine(byte)
        }
        // No UTF-8 text holds this byte, so two secrets hashed in a row cannot run into each other.
        hasher.combine(UInt8.max)
    }

    /// Collects the differences of all pairs instead of leaving at the first one.
    private static func haveSameBytes(_ left: String.UTF8View, _ right: String.UTF8View) -> Bool {
        var difference: UInt8 = 0
        for (leftByte, rightByte) in zip(left, right) {
            difference |= leftByte ^ rightByte
        }
        return difference == 0
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same mark, whatever the text.
    public var description: String { "‹secret›" }

    /// Always the same mark, whatever the text.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` and every reflecting logger find nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
