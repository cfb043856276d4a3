/// The name of a provider or an issuer: of the usual ones only a number, of others the text.
///
/// Nearly all identities are of a few issuers. Held as numbers they take half the room, copy without counting references
/// and compare without reading any text.
struct CommonText: Sendable, Hashable {
    private let form: Form

    private enum Form: Sendable, Hashable {
        case known(Known)
        case other(Boxed<ExactText>)
    }

    /// The usual names.
    enum Known: UInt8, Sendable, CaseIterable {
        case password, emailLink, google, googleIssuer, facebook, gitHub, apple, appleIssuer, twitter, microsoft, phone
        case anonymous, custom

        var text: String {
            switch self {
            case .password: "password"
            case .emailLink: "emaillink"
            case .google: "google.com"
            case .googleIssuer: "https://accounts.google.com"
            case .facebook: "facebook.com"
            case .gitHub: "github.com"
            case .apple: "apple.com"
            case .appleIssuer: "https://appleid.apple.com"
            case .twitter: "twitter.com"
            case .microsoft: "microsoft.com"
            case .phone: "phone"
            case .anonymous: "anonymous"
            case .custom: "custom"
            }
        }
    }

    init(_ known: Known) { form = .known(known) }

    init(_ text: String) {
        // A usual name has one form only, or two equal ones would differ.
        if let known = Known.allCases.first(where: { $0.text.hasSameBytes(as: text) }) {
            form = .known(known)
        } else {
            form = .other(Boxed(ExactText(text)))
        }
    }

    var text: String {
        switch form {
        case .known(let known): known.text
        case .other(let boxed): boxed.value.text
        }
    }
}

extension CommonText: Comparable {
    static func < (left: CommonText, right: CommonText) -> Bool { left.text.bytesPrecede(right.text) }
}

// In a record and in a mirror it is the text, however it is held.
extension CommonText: Codable, CustomReflectable {
    init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}
