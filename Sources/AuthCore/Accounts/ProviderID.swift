/// Names a way to sign in: one of AuthCore's own, or a provider such as `google.com` or `oidc.example`.
///
/// It is open: an app names its own providers with a string literal. ASCII letters are lower-cased, and comparison is
/// by bytes, so no two spellings that a database would tell apart are the same provider here.
public struct ProviderID: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Sign-in with an e-mail address and a password.
    public static var password: ProviderID { ProviderID(.password) }
    /// Sign-in with mailed links; it is listed as `password`, and has a name of its own only to be switched off.
    public static var emailLink: ProviderID { ProviderID(.emailLink) }
    /// Google.
    public static var google: ProviderID { ProviderID(.google) }
    /// Facebook.
    public static var facebook: ProviderID { ProviderID(.facebook) }
    /// GitHub.
    public static var gitHub: ProviderID { ProviderID(.gitHub) }
    /// Apple.
    public static var apple: ProviderID { ProviderID(.apple) }
    /// Twitter, now X.
    public static var twitter: ProviderID { ProviderID(.twitter) }
    /// Microsoft.
    public static var microsoft: ProviderID { ProviderID(.microsoft) }
    /// Sign-in with a code sent to a telephone.
    public static var phone: ProviderID { ProviderID(.phone) }
    /// Sign-in without any credential.
    public static var anonymous: ProviderID { ProviderID(.anonymous) }
    /// Sign-in with a token that the app's own server issued.
    public static var custom: ProviderID { ProviderID(.custom) }

    private let name: OpenName

    /// Names a provider; A–Z become a–z.
    public init(_ rawValue: String) {
        name = OpenName(rawValue.withLowercasedASCII)
    }

    /// Names a provider by a literal.
    public init(stringLiteral rawValue: String) {
        self.init(rawValue)
    }

    private init(_ usual: UsualName) { name = OpenName(usual) }

    /// The name, lower-cased.
    public var rawValue: String { name.text }

    /// Whether the name is 1 to 128 bytes of `a-z 0-9 . _ - : /`, as every provider in use must be.
    public var isWellFormed: Bool {
        guard (1...128).contains(rawValue.utf8.count) else { return false }
        return rawValue.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "/"):
                true
            default:
                false
            }
        }
    }

    /// Whether the name belongs to a method that is not a federated provider, so that no provider may take it.
    package var isReserved: Bool {
        switch rawValue {
        case "password", "phone", "anonymous", "custom", "firebase", "emaillink": true
        default: false
        }
    }
}

extension ProviderID: Comparable, CustomStringConvertible {
    /// The name, lower-cased.
    public var description: String { rawValue }

    /// Orders names by their bytes.
    public static func < (left: ProviderID, right: ProviderID) -> Bool {
        left.name < right.name
    }
}

extension ProviderID: Codable {
    /// Reads a plain string and lower-cases it.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name as a plain string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
