internal import AuthCore
public import Foundation

/// Makes credentials from what Google gives an app.
open class GoogleAuthProvider: NSObject {
    /// The provider's ID.
    public static let id = "google.com"

    /// The tokens of Google's sign-in.
    open class func credential(withIDToken idToken: String, accessToken: String) -> AuthCredential {
        ProviderCredential(.google, ProviderTokens(idToken: idToken, accessToken: accessToken))
    }

    @available(*, unavailable)
    override init() {}
}
