internal import AuthCore
public import Foundation

/// Makes credentials from what GitHub gives an app.
open class GitHubAuthProvider: NSObject {
    /// The provider's ID.
    public static let id = "github.com"

    /// The token of GitHub's OAuth flow.
    open class func credential(withToken token: String) -> AuthCredential {
        ProviderCredential(.gitHub, ProviderTokens(accessToken: token))
    }

    @available(*, unavailable)
    override init() {}
}
