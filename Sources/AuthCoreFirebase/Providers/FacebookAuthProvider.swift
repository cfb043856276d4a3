internal import AuthCore
public import Foundation

/// Makes credentials from what Facebook gives an app.
open class FacebookAuthProvider: NSObject {
    /// The provider's ID.
    public static let id = "facebook.com"

    /// The token of Facebook's login.
    open class func credential(withAccessToken accessToken: String) -> AuthCredential {
        ProviderCredential(.facebook, ProviderTokens(accessToken: accessToken))
    }

    @available(*, unavailable)
    override init() {}
}
