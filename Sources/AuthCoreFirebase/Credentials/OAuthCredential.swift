internal import AuthCore
public import Foundation

/// The tokens that an OAuth or OpenID Connect provider gave the app.
// It is immutable, like its base class.
open class OAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
    /// The provider's ID token, if there is one.
    public let idToken: String?
    /// The provider's access token, if there is one.
    public let accessToken: String?
    /// The secret of an OAuth 1 token, if there is one.
    public let secret: String?
    private let rawNonce: String?

    init(
        provider: String,
        tokens: ProviderTokens,
        rawNonce: String? = nil,
        presented: [AuthCore.AuthCredential]? = nil
    ) {
        idToken = tokens.idToken
        accessToken = tokens.accessToken
        secret = tokens.secret
        self.rawNonce = rawNonce
        let credential = AuthCore.AuthCredential.oauth(
            ProviderID(provider),
            idToken: tokens.idToken,
            accessToken: tokens.accessToken,
            secret: tokens.secret,
            nonce: rawNonce
        )
        super.init(provider: provider, presented: presented ?? [credential])
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the provider and the tokens.
    ///
    /// The tokens are secret: protect the archive like a password.
    public func encode(with coder: NSCoder) {
        coder.encode(provider as NSString, forKey: "provider")
        coder.encode(tokens)
        coder.encode(rawNonce as NSString?, forKey: "rawNonce")
    }

    /// Reads what `encode(with:)` wrote.
    public required convenience init?(coder: NSCoder) {
        guard let provider = coder.text(forKey: "provider") else { return nil }
        self.init(provider: provider, tokens: coder.providerTokens, rawNonce: coder.text(forKey: "rawNonce"))
    }
}

extension OAuthCredential: TokenCarrier {
    var tokens: ProviderTokens { ProviderTokens(idToken: idToken, accessToken: accessToken, secret: secret) }
}
