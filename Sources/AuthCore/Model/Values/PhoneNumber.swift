/// A phone number in E.164 form: a plus sign and 7 to 15 digits, the first of them 1 to 9.
///
/// It does not guess: spaces, brackets, a missing plus sign or digits of another script make it malformed. To format
/// what a person typed, the app must know their country. The one thing it corrects is a trunk zero after the country
/// code, which is dialed only inside the country: `+4407…` is `+447…`. Where the zero belongs to the number, as in
/// Italy, it stays.
public struct PhoneNumber: Sendable, Hashable {
    // The first digit is never 0, so the digits can be stored as their value in eight bytes.
    private let digits: UInt64

    /// Reads a number; `nil` if it is malformed.
    public init?(_ text: String) {
        guard let digits = PhoneSyntax.digits(of: text) else { return nil }
        self.digits = digits
    }

    /// The number in E.164 form.
    package var text: String { "+\(digits)" }

    /// A text of the same length with only the last four digits displayed: enough to recognize one's own number.
    var masked: String {
        let text = text
        return "+" + String(repeating: "*", count: text.utf8.count - 5) + text.suffix(4)
    }
}

extension PhoneNumber: Comparable, CodableText {
    /// The number in E.164 form.
    public var description: String { text }

    /// Orders numbers by their value, so shorter ones come first.
    public static func < (left: PhoneNumber, right: PhoneNumber) -> Bool { left.digits < right.digits }
}
