internal import AuthCore
public import Foundation

/// Makes credentials from what Twitter gives an app.
open class TwitterAuthProvider: NSObject {
    /// The provider's ID.
    public static let id = "twitter.com"

    /// The token and the secret of Twitter's OAuth flow.
    open class func credential(withToken token: String, secret: String) -> AuthCredential {
        ProviderCredential(.twitter, ProviderTokens(accessToken: token, secret: secret))
    }

    @available(*, unavailable)
    override init() {}
}
