internal import AuthCore
public import Foundation

/// The result of a sign-in, a link or a reauthentication.
open class AuthDataResult: NSObject, NSSecureCoding {
    /// The signed-in user.
    public let user: User
    /// What the provider says about the user who signed in.
    public let additionalUserInfo: AdditionalUserInfo?
    /// The provider's tokens, for the app's own use.
    public let credential: OAuthCredential?

    init(user: User, additionalUserInfo: AdditionalUserInfo? = nil, credential: OAuthCredential? = nil) {
        self.user = user
        self.additionalUserInfo = additionalUserInfo
        self.credential = credential
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the user, the additional information and the tokens.
    public func encode(with coder: NSCoder) {
        coder.encode(user, forKey: "user")
        coder.encode(additionalUserInfo, forKey: "additionalUserInfo")
        coder.encode(credential, forKey: "credential")
    }

    /// Reads what `encode(with:)` wrote, in the process that wrote it.
    public required init?(coder: NSCoder) {
        guard let user = coder.decodeObject(of: User.self, forKey: "user") else { return nil }
        self.user = user
        additionalUserInfo = coder.decodeObject(of: AdditionalUserInfo.self, forKey: "additionalUserInfo")
        credential = coder.decodeObject(of: OAuthCredential.self, forKey: "credential")
    }
}

extension OAuthCredential {
    /// The tokens of a credential, as a result contains them; nil for a credential without tokens.
    static func tokens(in credential: AuthCredential) -> OAuthCredential? {
        if let credential = credential as? OAuthCredential { return credential }
        guard let carrier = credential as? any TokenCarrier else { return nil }
        return OAuthCredential(provider: credential.provider, tokens: carrier.tokens)
    }
}
