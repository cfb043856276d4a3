/// An ID of 128 bits, written as 22 URL-safe characters.
public protocol RandomIdentifier: Sendable, Hashable, Codable, Comparable, LosslessStringConvertible {
    /// The bits of the ID.
    var words: IdentifierWords { get }

    /// Creates the ID with these bits.
    init(words: IdentifierWords)
}

/// The bits of an ID as two words.
///
/// Not one `UInt128`: when it is passed to an asynchronous function on the stack, its alignment unbalances the stack on
/// x86-64 with the Swift 6.3 compiler.
public struct IdentifierWords: Sendable, Hashable {
    /// The upper half.
    public let high: UInt64
    /// The lower half.
    public let low: UInt64

    /// Creates the bits from these two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The bits as one number.
    var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    init(bits: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }
}

extension RandomIdentifier {
    /// The bits as one number.
    public var bits: UInt128 { words.bits }

    /// Feeds half of the bits to the hasher: they are random or of a digest, so that half of them tells IDs apart.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.low) }

    /// Creates the ID with these bits.
    public init(bits: UInt128) { self.init(words: IdentifierWords(bits: bits)) }

    /// The 22 characters that represent the bits.
    package var text: String {
        var remaining = bits
        return unsafe String(unsafeUninitializedCapacity: 22) { characters in
            for index in (0..<22).reversed() {
                unsafe characters[index] = IdentifierAlphabet.symbols[Int(truncatingIfNeeded: remaining & 63)]
                remaining >>= 6
            }
            return 22
        }
    }

    /// Reads the text of an ID; nil for anything else.
    public init?(_ text: String) {
        // The first character has the upper two of the 128 bits.
        guard text.utf8.count == 22, let first = text.utf8.first.flatMap(IdentifierAlphabet.value), first < 4
        else { return nil }
        var bits: UInt128 = 0
        for byte in text.utf8 {
            guard let value = IdentifierAlphabet.value(of: byte) else { return nil }
            bits = bits << 6 | UInt128(value)
        }
        self.init(bits: bits)
    }

    /// The ID's text.
    public var description: String { text }

    /// Orders IDs by their bits.
    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// Reads an ID from its text.
    public init(from decoder: any Decoder) throws { try self.init(decodingTextFrom: decoder) }

    /// Writes the ID as its text.
    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

/// The 64 symbols of IDs; the first 62 are letters and digits.
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
