public import AuthCore

/// A made-up person, with an identity at every provider.
///
/// Two people are the same to a provider if they were made with the same name and address; whatever is changed later
/// changes what the provider says of the person, never whom it means.
public struct SimulatedPerson: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The address that the person gave to providers, if any.
    public var email: String?
    /// The user name at providers that have such names.
    public var username: String
    /// The address of a picture.
    public var photoURL: String?

    private let origin: String

    /// A person with this name and this address.
    public init(name: String, email: String?) {
        self.name = name
        self.email = email
        let handle = (email?.prefix { $0 != "@" } ?? Substring(name)).lowercased().filter(Self.isPlain)
        username = handle.isEmpty ? "somebody" : handle
        photoURL = "https://example.com/pictures/\(username).jpg"
        origin = "\(name)\u{0}\(email ?? "")"
    }

    /// Ann, with an address at example.com.
    public static let ann = SimulatedPerson(name: "Ann Archer", email: "ann@example.com")
    /// Ben, with an address at example.com.
    public static let ben = SimulatedPerson(name: "Ben Baker", email: "ben@example.com")
    /// Eve, who would like to be somebody else.
    public static let eve = SimulatedPerson(name: "Eve Ellis", email: "eve@example.com")

    /// The same person with another address at their providers, or with none.
    public func with(email: String?) -> SimulatedPerson {
        var person = self
        person.email = email
        return person
    }

    /// The same person under another name.
    public func with(name: String) -> SimulatedPerson {
        var person = self
        person.name = name
        return person
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }
}

extension SimulatedPerson {
    /// The provider's permanent name for the person, in the form that the provider uses.
    public func subject(at provider: ProviderID) -> String {
        let digest = SHA256.hash(Array("\(provider)\u{0}\(origin)".utf8))
        switch provider {
        case .google: return "1" + decimal(digest.prefix(20))
        case .facebook: return "1" + decimal(digest.prefix(16))
        case .gitHub: return "1" + decimal(digest.prefix(15))
        case .twitter: return "1" + decimal(digest.prefix(18))
        case .apple:
            return "00" + decimal(digest[..<4]) + "." + hexadecimal(digest[4..<20]) + "." + decimal(digest[20..<24])
        case .microsoft: return Base64URL.encode(digest)
        default: return hexadecimal(digest.prefix(16))
        }
    }
}

/// One decimal digit for each byte.
private func decimal(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { UInt8(ascii: "0") + $0 % 10 }, as: UTF8.self)
}
