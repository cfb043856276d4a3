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
        super.init(provider: provider, presented: presented ?? [Self.form(provider, tokens, rawNonce)])
    }

    /// The form in which the engine is given the tokens, with Apple's name of the person if there is one.
    private static func form(
        _ provider: String,
        _ tokens: ProviderTokens,
        _ rawNonce: String?,
        fullName: String? = nil
    ) -> AuthCore.AuthCredential {
        if let fullName, let idToken = tokens.idToken {
            return .apple(idToken: idToken, nonce: rawNonce, fullName: fullName)
        }
        return .oauth(
            ProviderID(provider),
            idToken: tokens.idToken,
            accessToken: tokens.accessToken,
            secret: tokens.secret,
            nonce: rawNonce
        )
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the provider, the tokens, Apple's name of the person, and the reference to a kept conflict.
    ///
    /// The tokens are secret: protect the archive like a password.
    public func encode(with coder: NSCoder) {
        coder.encode(provider as NSString, forKey: "provider")
        coder.encode(tokens)
        coder.encode(rawNonce as NSString?, forKey: "rawNonce")
        coder.encode(presented.lazy.compactMap(\.fullName).first as NSString?, forKey: "fullName")
        coder.encode(pendingOf: presented)
    }

    /// Reads what `encode(with:)` wrote.
    public required convenience init?(coder: NSCoder) {
        guard let provider = coder.text(forKey: "provider") else { return nil }
        let (tokens, rawNonce) = (coder.providerTokens, coder.text(forKey: "rawNonce"))
        let form = Self.form(provider, tokens, rawNonce, fullName: coder.text(forKey: "fullName"))
        let presented = [coder.pending, form].compactMap(\.self)
        self.init(provider: provider, tokens: tokens, rawNonce: rawNonce, presented: presented)
    }
}

extension OAuthCredential: TokenCarrier {
    var tokens: ProviderTokens { ProviderTokens(idToken: idToken, accessToken: accessToken, secret: secret) }
}
