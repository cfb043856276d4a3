import AuthCoreCrypto
public import AuthCore

/// A made-up person, with an identity at every provider.
///
/// A provider treats two people as the same person if they were made with the same name and address. Later changes
/// change what the provider says about the person, but not who the person is.
public struct SimulatedPerson: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The address that the person gave to the providers, if any.
    public var email: String?
    /// The user name at providers that have user names.
    public var username: String
    /// The URL of a picture.
    public var photoURL: String?

    private let origin: String

    /// Creates a person with this name and this address.
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
    /// Eve, the attacker.
    public static let eve = SimulatedPerson(name: "Eve Ellis", email: "eve@example.com")

    /// Returns the same person with another address at the providers, or with none.
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
    /// The provider's permanent ID of the person, in the form that the provider uses.
    public func subject(at provider: ProviderID) -> String {
        let digest = SHA256.hash(Array("\(provider)\u{0}\(origin)".utf8))
        switch provider {
        case .google: return "1" + decimal(digest.prefix(20))
        case .facebook: return "1" + decimal(digest.prefix(16))
        case .gitHub: return "1" + decimal(digest.prefix(15))
        case .twitter: return "1" + decimal(digest.prefix(18))
        case .apple:
            let letters = String(decoding: hexadecimal(digest[4..<20]), as: UTF8.self)
            return "00" + decimal(digest[..<4]) + "." + letters + "." + decimal(digest[20..<24])
        case .microsoft: return Base64URL.encode(digest)
        default: return String(decoding: hexadecimal(digest.prefix(16)), as: UTF8.self)
        }
    }
}

/// One decimal digit for each byte.
private func decimal(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { UInt8(ascii: "0") + $0 % 10 }, as: UTF8.self)
}
