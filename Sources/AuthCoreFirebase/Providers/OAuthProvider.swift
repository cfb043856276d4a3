internal import AuthCore
internal import AuthCoreFirebaseApp
public import Foundation
internal import Synchronization

/// A provider that the app asks through a page: GitHub, Microsoft, or any OAuth or OpenID Connect provider.
open class OAuthProvider: NSObject, FederatedAuthProvider {
    /// Represents all providers of this kind.
    public static let id = "OAuth"

    /// The provider's ID.
    public let providerID: String
    private let auth: Auth
    private let wishes = Mutex(Wishes())

    private struct Wishes {
        /// As in the original, it begins with an empty scope, so that an app can append to it.
        var scopes: [String]? = [""]
        var customParameters: [String: String]? = [:]
    }

    /// The provider with this ID.
    public init(providerID: String, auth: Auth = Auth.auth()) {
        self.providerID = providerID
        self.auth = auth
    }

    /// The provider with this ID.
    public convenience init(providerID: AuthProviderID, auth: Auth = Auth.auth()) {
        self.init(providerID: providerID.rawValue, auth: auth)
    }

    /// The provider with this ID, for the default app.
    public class func provider(providerID: AuthProviderID) -> OAuthProvider {
        OAuthProvider(providerID: providerID, auth: Auth.auth())
    }

    /// The provider with this ID.
    public class func provider(providerID: AuthProviderID, auth: Auth) -> OAuthProvider {
        OAuthProvider(providerID: providerID, auth: auth)
    }

    /// The scopes that the app requests.
    open var scopes: [String]? {
        get { wishes.withLock { $0.scopes } }
        set { wishes.withLock { $0.scopes = newValue } }
    }

    /// Further parameters of the request; they never override those that OAuth itself sets.
    open var customParameters: [String: String]? {
        get { wishes.withLock { $0.customParameters } }
        set { wishes.withLock { $0.customParameters = newValue } }
    }

    /// Asks the provider, and passes the credential to the handler on the main queue.
    open func getCredentialWith(
        _ uiDelegate: (any AuthUIDelegate)?,
        completion: ((AuthCredential?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.ask() }
    }

    // In the original this is on the main actor. A compiler with strict checking would not accept that for the
    // protocol's requirement, and callers on the main actor notice no difference.
    /// Asks the provider.
    open func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential {
        try await ask()
    }

    private func ask() async throws -> AuthCredential {
        let isForItsOwnKit = providerID == FacebookAuthProvider.id || providerID == ProviderID.apple.rawValue
        if isForItsOwnKit && !auth.usesEmulator {
            throw NSError(
                .invalidProviderID,
                message: "\(providerID) gives credentials to apps through its own SDK, not through a web page."
            )
        }
        let wishes = wishes.withLock { $0 }
        return try await OAuthVisit(
            providerID: providerID,
            scopes: (wishes.scopes ?? []).filter { !$0.isEmpty },
            customParameters: (wishes.customParameters ?? [:]).filter {
                !AuthorizationPage.reservedParameters.contains($0.key.lowercased())
            },
            auth: auth
        ).credential()
    }
}

extension OAuthProvider {
    /// A provider's ID token.
    public static func credential(
        providerID: AuthProviderID,
        idToken: String,
        accessToken: String? = nil
    ) -> OAuthCredential {
        OAuthCredential(
            provider: providerID.rawValue,
            tokens: ProviderTokens(idToken: idToken, accessToken: accessToken)
        )
    }

    /// A provider's access token.
    public static func credential(providerID: AuthProviderID, accessToken: String) -> OAuthCredential {
        OAuthCredential(provider: providerID.rawValue, tokens: ProviderTokens(accessToken: accessToken))
    }

    /// A provider's ID token, and the nonce that it must contain.
    public static func credential(
        providerID: AuthProviderID,
        idToken: String,
        rawNonce: String,
        accessToken: String? = nil
    ) -> OAuthCredential {
        OAuthCredential(
            provider: providerID.rawValue,
            tokens: ProviderTokens(idToken: idToken, accessToken: accessToken),
            rawNonce: rawNonce
        )
    }

    /// What Sign in with Apple gives an app; it contains the name only the first time.
    public static func appleCredential(
        withIDToken idToken: String,
        rawNonce: String?,
        fullName: PersonNameComponents?
    ) -> OAuthCredential {
        let names = [fullName?.givenName, fullName?.middleName, fullName?.familyName].compactMap(\.self)
        let name = names.isEmpty ? nil : names.joined(separator: " ")
        return OAuthCredential(
            provider: ProviderID.apple.rawValue,
            tokens: ProviderTokens(idToken: idToken),
            rawNonce: rawNonce,
            presented: [.apple(idToken: idToken, nonce: rawNonce, fullName: name)]
        )
    }
}
