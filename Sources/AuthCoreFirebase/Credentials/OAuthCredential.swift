internal import AuthCore
public import Foundation

/// What an OAuth or OpenID Connect provider gave the app.
// Nothing in it ever changes, as in its base class.
open class OAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
    /// The provider's signed statement, where there is one.
    public let idToken: String?
    /// The token for the provider's own interfaces, where there is one.
    public let accessToken: String?
    /// The second half of an OAuth 1 token, where there is one.
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
            rawNonce: rawNonce
        )
        super.init(provider: provider, presented: presented ?? [credential])
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes provider and tokens, which are secret: keep the archive like a password.
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
