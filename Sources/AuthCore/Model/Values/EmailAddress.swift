/// An e-mail address in the single spelling that is used as a key: ASCII, with A–Z in lower case and no other change.
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
    init(normalised text: String) {
        self.text = text
    }

    /// The part after the @, lower-cased.
    public var domain: String {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else { return "" }
        return String(text[text.utf8.index(after: at)...])
    }

    /// Whether this is one of GitHub's placeholder addresses, at which no one can receive mail.
    var isRelayOfNoOne: Bool {
        domain == "users.noreply.github.com" || domain == "noreply.github.com"
    }

    /// The same mailbox at Gmail's other domain; nil for other addresses.
    package var twin: EmailAddress? {
        guard let (own, other) = twinEndings else { return nil }
        let localCount = text.utf8.count - own.utf8.count
        // Into a string of the final size, since concatenating two parts takes longer than the rest of a mailbox lookup.
        let twin = unsafe String(unsafeUninitializedCapacity: localCount + other.utf8.count) { room in
            let at = unsafe room.initialize(fromContentsOf: text.utf8.prefix(localCount))
            return unsafe room[at...].initialize(fromContentsOf: other.utf8)
        }
        return EmailAddress(normalised: twin)
    }

    /// Whether both are spellings of one Gmail mailbox, without creating the other spelling.
    func isTwin(of other: EmailAddress) -> Bool {
        guard let (own, ending) = twinEndings, other.text.hasSuffix(ending),
            text.utf8.count - own.utf8.count == other.text.utf8.count - ending.utf8.count
        else { return false }
        return text.utf8.dropLast(own.utf8.count).elementsEqual(other.text.utf8.dropLast(ending.utf8.count))
    }

    /// The @ and the domain, with those of Gmail's other domain, if there is one.
    private var twinEndings: (own: String, other: String)? {
        let (usual, older) = ("@gmail.com", "@googlemail.com")
        if text.hasSuffix(usual) { return (usual, older) }
        return text.hasSuffix(older) ? (older, usual) : nil
    }
}

extension EmailAddress: Comparable, LosslessStringConvertible {
    /// The normalized address.
    public var description: String { text }

    /// Orders addresses by their bytes.
    public static func < (left: EmailAddress, right: EmailAddress) -> Bool {
        left.text < right.text
    }
}

extension EmailAddress: Codable {
    /// Reads a string that passes the same checks as `init(_:)`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let address = EmailAddress(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not an e-mail address")
        }
        self = address
    }

    /// Writes the normalized address as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
