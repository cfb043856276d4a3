/// A name of 128 random bits, written as 22 URL-safe characters.
public protocol RandomIdentifier: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The bits themselves.
    var bits: UInt128 { get }

    /// Makes the identifier with these bits.
    init(bits: UInt128)
}

extension RandomIdentifier {
    /// The 22 characters that stand for the bits.
    public var text: String {
        var remaining = bits
        var characters = [UInt8](repeating: 0, count: 22)
        for index in characters.indices.reversed() {
            characters[index] = IdentifierAlphabet.symbols[Int(truncatingIfNeeded: remaining & 63)]
            remaining >>= 6
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Reads what `text` wrote; nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 22 else { return nil }
        var bits: UInt128 = 0
        for (index, byte) in text.utf8.enumerated() {
            guard let value = IdentifierAlphabet.value(of: byte), index > 0 || value < 4 else { return nil }
            bits = bits << 6 | UInt128(value)
        }
        self.init(bits: bits)
    }

    /// The identifier's text.
    public var description: String { text }

    /// Orders identifiers by their bits.
    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// Reads an identifier from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not an identifier of 22 characters"
            )
        }
        self = identifier
    }

    /// Writes the identifier as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// The 64 symbols of identifiers; the first 62 are letters and digits only.
enum IdentifierAlphabet {
    static let symbols: [UInt8] = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)

    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 36
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
