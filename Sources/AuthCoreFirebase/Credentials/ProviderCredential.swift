internal import AuthCore
internal import Foundation

/// The tokens of a provider that has its own class.
// It is immutable, like its base class.
final class ProviderCredential: AuthCredential, TokenCarrier, NSSecureCoding, @unchecked Sendable {
    let tokens: ProviderTokens

    init(_ provider: ProviderID, _ tokens: ProviderTokens) {
        self.tokens = tokens
        super.init(
            provider: provider.rawValue,
            presented: [
                .oauth(provider, idToken: tokens.idToken, accessToken: tokens.accessToken, secret: tokens.secret)
            ]
        )
    }

    static var supportsSecureCoding: Bool { true }

    func encode(with coder: NSCoder) {
        coder.encode(provider as NSString, forKey: "provider")
        coder.encode(tokens)
    }

    convenience init?(coder: NSCoder) {
        guard let provider = coder.text(forKey: "provider") else { return nil }
        self.init(ProviderID(provider), coder.providerTokens)
    }
}

extension NSCoder {
    /// Writes a provider's tokens.
    ///
    /// They are secret: protect the archive like a password.
    func encode(_ tokens: ProviderTokens) {
        encode(tokens.idToken as NSString?, forKey: "IDToken")
        encode(tokens.accessToken as NSString?, forKey: "accessToken")
        encode(tokens.secret as NSString?, forKey: "secret")
    }

    /// The tokens that were written.
    var providerTokens: ProviderTokens {
        ProviderTokens(
            idToken: text(forKey: "IDToken"),
            accessToken: text(forKey: "accessToken"),
            secret: text(forKey: "secret")
        )
    }
}
