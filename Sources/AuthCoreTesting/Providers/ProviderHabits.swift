internal import AuthCore

/// The properties of a real provider that a simulated one imitates.
struct ProviderHabits: Sendable {
    var issuer: String
    var form = SimulatedProvider.TokenForm.idToken
    var address = AddressClaim.silent
    /// The claim that contains the name; nil if the provider gives the name to the app instead.
    var name: String? = "name"
    /// The claim that contains the URL of the picture, if there is one.
    var picture: String?
    /// The claim that contains the user name, if there is one.
    var username: String?

    /// A provider that issues access tokens has no issuer in the sense of OpenID Connect, so its ID is used instead.
    init(of provider: ProviderID) {
        switch provider {
        case .google:
            issuer = "https://accounts.google.com"
            address = .verified
            picture = "picture"
        case .apple:
            issuer = "https://appleid.apple.com"
            address = .verified
            name = nil
        case .microsoft:
            // The tenant of all personal accounts.
            issuer = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
            username = "preferred_username"
        case .facebook:
            issuer = provider.rawValue
            form = .accessToken
            picture = "picture"
        case .gitHub:
            issuer = provider.rawValue
            form = .accessToken
            address = .confirmed
            picture = "avatar_url"
            username = "login"
        case .twitter:
            issuer = provider.rawValue
            form = .accessToken
            picture = "profile_image_url_https"
            username = "screen_name"
        default:
            issuer = "https://\(provider).example"
            picture = "picture"
            username = "preferred_username"
        }
    }
}
