/// An e-mail address in the one spelling that serves as a key: ASCII, with A–Z lower-cased and nothing else folded.
///
/// Two addresses are the same account's only if a mail system would deliver them to the same mailbox without question.
/// Letter case is the single difference that is ignored; dots, plus signs and look-alike letters never are, and an
/// address with any character outside ASCII is malformed (write an international domain as its A-labels).
public struct EmailAddress: Sendable, Hashable {
    // Synthesized equality compares Strings by canonical equivalence, which for ASCII is the same as comparing bytes.

    /// The normalised address.
    public let text: String

    /// Reads an address; `nil` if it is malformed.
    public init?(_ text: String) {
        guard EmailSyntax.accepts(text) else { return nil }
        self.text = text.withLowercasedASCII
    }

    /// The address of a text that was normalised before.
    init(normalised text: String) {
        self.text = text
    }

    /// The part after the @, lower-cased.
    public var domain: String {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else { return "" }
        return String(text[text.utf8.index(after: at)...])
    }

    /// Whether this is one of GitHub's placeholder addresses, at which nobody can receive anything.
    package var isRelayOfNoOne: Bool {
        domain == "users.noreply.github.com" || domain == "noreply.github.com"
    }

    /// The other spelling of a mailbox that Google serves under two domains; nobody else has a twin.
    package var twin: EmailAddress? {
        guard let ending = twinEnding else { return nil }
        var twin = ""
        twin.reserveCapacity(text.utf8.count + 5)
        twin += text[..<localPart.endIndex]
        twin += ending
        return EmailAddress(normalised: twin)
    }

    /// Whether both are spellings of one mailbox, without making the other spelling.
    package func isTwin(of other: EmailAddress) -> Bool {
        guard let ending = twinEnding, other.text.hasEnding(ending) else { return false }
        return localPart.elementsEqual(other.localPart)
    }

    /// The @ and the domain of the other spelling, if there is one.
    private var twinEnding: String? {
        if text.hasEnding("@gmail.com") { return "@googlemail.com" }
        return text.hasEnding("@googlemail.com") ? "@gmail.com" : nil
    }

    private var localPart: Substring.UTF8View {
        text.utf8.prefix { $0 != UInt8(ascii: "@") }
    }
}

extension String {
    fileprivate func hasEnding(_ ending: String) -> Bool { utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) }
}

extension EmailAddress: Comparable, CustomStringConvertible {
    /// The normalised address.
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

    /// Writes the normalised address as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
