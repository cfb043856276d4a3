/// A name out of a list to which others may add: of the usual ones only a number, of others the text.
///
/// Nearly all identities are of a few issuers, and nearly all events of the library's own kinds. Held as numbers, such
/// names take half the room, copy without counting references and compare without reading any text.
struct OpenName: Sendable, Hashable {
    private let form: Form

    private enum Form: Sendable, Hashable {
        case usual(UsualName)
        case other(Boxed<ExactText>)
    }

    package init(_ usual: UsualName) { form = .usual(usual) }

    package init(_ text: String) {
        // A usual name has one form only, or two equal ones would differ.
        if let usual = UsualName(bytesOf: text) {
            form = .usual(usual)
        } else {
            form = .other(Boxed(ExactText(text)))
        }
    }

    var text: String {
        switch form {
        case .usual(let usual): usual.text
        case .other(let boxed): boxed.value.text
        }
    }
}

extension OpenName: Comparable {
    static func < (left: OpenName, right: OpenName) -> Bool { left.text.bytesPrecede(right.text) }
}

// In a record and in a mirror it is the text, however it is held.
extension OpenName: Codable, CustomReflectable {
    package init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}
