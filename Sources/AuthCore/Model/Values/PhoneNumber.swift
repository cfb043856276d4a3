/// A telephone number in E.164 form: a plus sign and 7 to 15 digits, the first of them 1 to 9.
///
/// Nothing is guessed: spaces, brackets, a missing plus sign or digits of another script make it malformed. Formatting
/// what a person typed needs to know their country, which is the app's business.
public struct PhoneNumber: Sendable, Hashable {
    private static let digitCounts = 7...15

    // The first digit is never 0, so the digits and their value say the same thing in eight bytes.
    private let digits: UInt64

    /// Reads a number; `nil` if it is malformed.
    public init?(_ text: String) {
        // Asked first, so that a text of any size is refused without being read.
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

    /// As long as the number, with only its last four digits left: enough to recognise one's own.
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
