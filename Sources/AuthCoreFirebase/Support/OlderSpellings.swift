// What earlier versions of the SDK had, and many apps and pages still use. Each does what its successor does.

extension Auth {
    /// Signs in with a credential, then calls the handler.
    @available(*, deprecated, renamed: "signIn(with:completion:)")
    public func signInAndRetrieveData(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        signIn(with: credential, completion: completion)
    }

    /// Passes the methods that sign in with an address to the handler, as far as the policy lets strangers know them.
    @available(*, deprecated, renamed: "fetchSignInMethods(forEmail:completion:)")
    public func fetchProviders(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil) {
        fetchSignInMethods(forEmail: email, completion: completion)
    }
}

extension User {
    /// Links a sign-in method, then calls the handler.
    @available(*, deprecated, renamed: "link(with:completion:)")
    public func linkAndRetrieveData(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        link(with: credential, completion: completion)
    }

    /// Reauthenticates the user, then calls the handler.
    @available(*, deprecated, renamed: "reauthenticate(with:completion:)")
    public func reauthenticateAndRetrieveData(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        reauthenticate(with: credential, completion: completion)
    }
}

extension OAuthProvider {
    /// A provider's ID token, and the nonce that it must contain.
    @available(*, deprecated, renamed: "credential(providerID:idToken:rawNonce:accessToken:)")
    public static func credential(
        withProviderID providerID: String,
        idToken: String,
        rawNonce: String?,
        accessToken: String? = nil
    ) -> OAuthCredential {
        OAuthCredential(
            provider: providerID,
            tokens: ProviderTokens(idToken: idToken, accessToken: accessToken),
            rawNonce: rawNonce
        )
    }

    /// A provider's ID token.
    @available(*, deprecated, renamed: "credential(providerID:idToken:accessToken:)")
    public static func credential(
        withProviderID providerID: String,
        idToken: String,
        accessToken: String?
    ) -> OAuthCredential {
        credential(providerID: .custom(providerID), idToken: idToken, accessToken: accessToken)
    }

    /// A provider's access token.
    @available(*, deprecated, renamed: "credential(providerID:accessToken:)")
    public static func credential(withProviderID providerID: String, accessToken: String) -> OAuthCredential {
        credential(providerID: .custom(providerID), accessToken: accessToken)
    }
}

extension ActionCodeSettings {
    /// The domain of the link.
    @available(*, deprecated, renamed: "linkDomain")
    public var dynamicLinkDomain: String? {
        get { linkDomain }
        set { linkDomain = newValue }
    }
}
