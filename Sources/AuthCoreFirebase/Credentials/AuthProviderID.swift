/// The ID of a provider.
public struct AuthProviderID: Equatable {
    /// The provider's ID.
    public let rawValue: String

    /// Sign in with Apple.
    public static var apple: Self { Self(rawValue: "apple.com") }
    /// An address with a password or a sign-in link.
    public static var email: Self { Self(rawValue: "password") }
    /// Facebook.
    public static var facebook: Self { Self(rawValue: "facebook.com") }
    /// Game Center.
    public static var gameCenter: Self { Self(rawValue: "gc.apple.com") }
    /// GitHub.
    public static var gitHub: Self { Self(rawValue: "github.com") }
    /// Google.
    public static var google: Self { Self(rawValue: "google.com") }
    /// A phone number.
    public static var phone: Self { Self(rawValue: "phone") }

    /// Any other provider.
    public static func custom(_ value: String) -> Self { Self(rawValue: value) }
}
