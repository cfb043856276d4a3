/// A telephone number in E.164 form: a plus sign and 7 to 15 digits, the first of them 1 to 9.
///
/// It does not guess: spaces, brackets, a missing plus sign or digits of another script make it malformed. To format
/// what a person typed, the app must know their country.
public struct PhoneNumber: Sendable, Hashable {
    private static let digitCounts = 7...15

    // The first digit is never 0, so the digits can be stored as their value in eight bytes.
    private let digits: UInt64

    /// Reads a number; `nil` if it is malformed.
    public init?(_ text: String) {
        // Checked first, so that a text of any size is refused without reading it.
        guard Self.digitCounts.contains(text.utf8.count - 1) else { return nil }
        guard text.utf8.first == UInt8(ascii: "+") else { return nil }
        var digits: UInt64 = 0
        for byte in text.utf8.dropFirst() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
            guard digits > 0 else { return nil }
        }
        self.digits = digits
    }

    /// The number as it was read.
    package var text: String { "+\(digits)" }

    /// A text of the same length with only the last four digits displayed: enough to recognize one's own number.
    var masked: String {
        let text = text
        return "+" + String(repeating: "*", count: text.utf8.count - 5) + text.suffix(4)
    }
}

extension PhoneNumber: Comparable, LosslessStringConvertible {
    /// The number as it was read.
    public var description: String { text }

    /// Orders numbers by their value, so shorter ones come first.
    public static func < (left: PhoneNumber, right: PhoneNumber) -> Bool {
        left.digits < right.digits
    }
}

extension PhoneNumber: Codable {
    /// Reads a string that passes the same checks as `init(_:)`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = PhoneNumber(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not an E.164 telephone number")
        }
        self = number
    }

    /// Writes the number as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
