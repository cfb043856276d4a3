/// The ID of a kind of sign-in: one of AuthCore's own, or a provider such as `google.com` or `oidc.example`.
///
/// Apps can name their own providers with a string literal. ASCII letters become lower case, and comparison is
/// by bytes, so IDs that a database considers different are different here too.
public struct ProviderID: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Sign-in with an email address and a password.
    public static let password: ProviderID = "password"
    /// Sign-in with sign-in links: the ID by which a policy disables them, and by which
    /// ``AuthClient/fetchSignInMethods(forEmail:)`` lists them.
    ///
    /// The methods and the sessions of an account name ``password`` instead.
    public static let emailLink: ProviderID = "emaillink"
    /// Google.
    public static let google: ProviderID = "google.com"
    /// Facebook.
    public static let facebook: ProviderID = "facebook.com"
    /// GitHub.
    public static let gitHub: ProviderID = "github.com"
    /// Apple.
    public static let apple: ProviderID = "apple.com"
    /// Twitter, now X.
    public static let twitter: ProviderID = "twitter.com"
    /// Microsoft.
    public static let microsoft: ProviderID = "microsoft.com"
    /// Sign-in with a code sent to a phone number.
    public static let phone: ProviderID = "phone"
    /// Sign-in without any credential.
    public static let anonymous: ProviderID = "anonymous"
    /// Sign-in with a token that the app's own server issued.
    public static let custom: ProviderID = "custom"

    private let name: ExactText

    /// Creates an ID; A–Z become a–z.
    public init(_ rawValue: String) { name = ExactText(rawValue.withLowercasedASCII) }

    /// Creates an ID from a literal.
    public init(stringLiteral rawValue: String) { self.init(rawValue) }

    /// The name, lower-cased.
    public var rawValue: String { name.text }

    /// Whether the ID is 1 to 128 bytes of `a-z 0-9 . _ - : /`, as required for every provider in use.
    public var isWellFormed: Bool {
        let (letters, digits) = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
        return (1...128).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || "._-:/".utf8.contains($0) }
    }

    /// Whether the ID is reserved for a method that is not federated, so that no provider can use it.
    package var isReserved: Bool { Self.reserved.contains(self) }

    private static let reserved: Set<ProviderID> = [.password, .emailLink, .phone, .anonymous, .custom, "firebase"]
}

extension ProviderID: Comparable, CodableText {
    /// The name, lower-cased.
    public var description: String { rawValue }

    /// Orders names by their bytes.
    public static func < (left: ProviderID, right: ProviderID) -> Bool { left.name < right.name }
}
