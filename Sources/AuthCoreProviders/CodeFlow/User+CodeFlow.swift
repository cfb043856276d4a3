public import AuthCore
public import AuthCoreFoundation

extension User {
    /// Begins a visit to a provider, and returns the page to open in the person's browser.
    ///
    /// ```swift
    /// let page = try await user.begin(.link, with: .gitHub, redirectURI: "https://app.example/github.com/callback")
    /// ```
    ///
    /// - Parameters:
    ///   - intent: What the person comes back for.
    ///   - provider: The provider, for which the service has a verifier of this product.
    ///   - redirectURI: Where the provider sends the person back to, as it was registered there.
    ///   - scopes: What the app asks for in addition to the usual scopes.
    ///   - parameters: Further parameters of the page, such as `prompt` or `login_hint`.
    /// - Returns: The URL; it works once, on this device and in this session, for the time of the policy's
    ///   `lifetimes.pendingIdentity`.
    /// - Throws: `requiresRecentLogin` for a link, `userTokenExpired` or another code if the session is over, and as
    ///   the client's function.
    public func begin(
        _ intent: User.Intent,
        with provider: ProviderID,
        redirectURI: String,
        scopes: [String] = [],
        parameters: [String: String] = [:]
    ) async throws(AuthError) -> URL {
        let stored: Store.Authorization.Intent =
            switch intent {
            case .link: .link(handle.session)
            case .reauthenticate: .reauthentication(handle.session)
            }
        return try await inSession { () async throws(AuthError) in
            try await Visit(client: client, handle: handle).begin(
                stored,
                with: provider,
                redirectURI: redirectURI,
                scopes: scopes,
                parameters: parameters
            )
        }
    }

    /// Links the provider, or reauthenticates, as it was begun, when the person comes back.
    ///
    /// - Parameter callback: The URL that the provider sent the browser to, with its query.
    /// - Returns: This user, and the provider's tokens.
    /// - Throws: As `link(with:)` or `reauthenticate(with:)`, and as the client's function; `invalidCredential` in
    ///   another session than the one that began.
    @discardableResult
    public func complete(callback: String) async throws(AuthError) -> CodeFlow.Result {
        let (visit, verified, tokens) = try await inSession { () async throws(AuthError) in
            try await Visit(client: client, handle: handle).end(callback)
        }
        let result =
            switch visit.intent {
            case .link: try await link(with: verified)
            case .reauthentication: try await reauthenticate(with: verified)
            case .signIn: throw AuthError(.internalError)
            }
        return CodeFlow.Result(result: result, tokens: tokens)
    }
}
