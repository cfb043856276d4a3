/// An email address in the single spelling that is used as a key: ASCII, with A–Z in lower case and no other change.
///
/// Two addresses are equal only if every mail system would deliver them to the same mailbox. Only letter case is
/// ignored; dots, plus signs and similar-looking letters are not, and an address with any character outside ASCII is
/// malformed (write an international domain as its A-labels).
public struct EmailAddress: Sendable, Hashable {
    // Synthesized equality compares Strings by canonical equivalence, which for ASCII is the same as comparing bytes.

    /// The normalized address.
    package let text: String

    /// Reads an address; `nil` if it is malformed.
    public init?(_ text: String) {
        guard EmailSyntax.accepts(text) else { return nil }
        self.text = text.withLowercasedASCII
    }

    /// Creates an address from a text that is already normalized.
    init(normalized text: String) { self.text = text }

    /// The part after the @, lower-cased.
    public var domain: String {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else { return "" }
        return String(text[text.utf8.index(after: at)...])
    }

    /// Whether this is one of GitHub's placeholder addresses, at which no one can receive mail.
    var isRelayOfNoOne: Bool { text.hasSuffix("@users.noreply.github.com") || text.hasSuffix("@noreply.github.com") }

    /// The address under the usual name of its mailbox: gmail.com and googlemail.com are one domain.
    package var mailbox: EmailAddress {
        let (usual, other) = ("@gmail.com", "@googlemail.com")
        guard text.hasSuffix(other) else { return self }
        return EmailAddress(normalized: text.dropLast(other.utf8.count) + usual)
    }

    /// Whether it is an address of Gmail, whose mailboxes never change hands.
    var isOfGmail: Bool { text.hasSuffix("@gmail.com") || text.hasSuffix("@googlemail.com") }
}

extension EmailAddress: Comparable, CodableText {
    /// The normalized address.
    public var description: String { text }

    /// Orders addresses by their bytes.
    public static func < (left: EmailAddress, right: EmailAddress) -> Bool { left.text < right.text }
}
