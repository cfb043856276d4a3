public import AuthCore
public import AuthCoreFoundation

extension AuthClient {
    /// Begins a visit to a provider, and returns the page to open in the person's browser.
    ///
    /// ```swift
    /// let callback = "https://app.example/github.com/callback"
    /// let page = try await client.begin(.signIn, with: .gitHub, redirectURI: callback)
    /// ```
    ///
    /// - Parameters:
    ///   - intent: What the person comes back for.
    ///   - provider: The provider, for which the service has a verifier of this product.
    ///   - redirectURI: Where the provider sends the person back to, as it was registered there; one part of its path
    ///     is the provider's ID, so that no other provider sends people there.
    ///   - scopes: What the app asks for in addition to the usual scopes.
    ///   - parameters: Further parameters of the page, such as `prompt` or `login_hint`.
    /// - Returns: The URL; it works once, on this device, for the time of the policy's `lifetimes.pendingIdentity`.
    /// - Throws: `operationNotAllowed` for a provider without pages or one that is disabled, `networkError` if its
    ///   configuration cannot be reached, `tooManyRequests`, `textTooLong`, `internalError` for a reserved parameter or
    ///   a redirect URI without the provider.
    public func begin(
        _ intent: AuthClient.Intent,
        with provider: ProviderID,
        redirectURI: String,
        scopes: [String] = [],
        parameters: [String: String] = [:]
    ) async throws(AuthError) -> URL {
        try await Visit(client: self, handle: nil).begin(
            .signIn,
            with: provider,
            redirectURI: redirectURI,
            scopes: scopes,
            parameters: parameters
        )
    }

    /// Signs in a person who comes back from a provider.
    ///
    /// - Parameter callback: The URL that the provider sent the browser to, with its query.
    /// - Returns: The signed-in user, and the provider's tokens.
    /// - Throws: As `signIn(with:)`; `deviceMismatch` on another device than the one that began, `sessionExpired`
    ///   when the time of the visit is over, `webContextCancelled` if the person did not agree, `invalidCredential` for
    ///   a callback that belongs to no visit, to another intent, or to another provider, `tooManyRequests` after too
    ///   many failed codes of the visit (`AttemptLimits.wrongCodes`) or of the origin, and `networkError`.
    @discardableResult
    public func complete(callback: String) async throws(AuthError) -> CodeFlow.Result {
        let (_, verified, tokens) = try await Visit(client: self, handle: nil).end(callback)
        return CodeFlow.Result(result: try await signIn(with: verified), tokens: tokens)
    }

    /// Verifies who comes back from a provider, without signing in: for a merge.
    ///
    /// - Parameter callback: The URL that the provider sent the browser to, with its query. The visit began with the
    ///   intent to sign in.
    /// - Returns: The verified credential.
    /// - Throws: As ``complete(callback:)``, but for what only a sign-in is refused for.
    public func verify(callback: String) async throws(AuthError) -> VerifiedCredential {
        try await Visit(client: self, handle: nil).end(callback).1
    }
}

extension Auth {
    /// Begins a visit to a provider, and returns the page to open.
    ///
    /// - Parameters: As those of ``AuthCore/AuthClient/begin(_:with:redirectURI:scopes:parameters:)``.
    /// - Returns: The URL.
    /// - Throws: As the client's function.
    public func begin(
        _ intent: AuthClient.Intent,
        with provider: ProviderID,
        redirectURI: String,
        scopes: [String] = [],
        parameters: [String: String] = [:]
    ) async throws(AuthError) -> URL {
        try await client.begin(
            intent,
            with: provider,
            redirectURI: redirectURI,
            scopes: scopes,
            parameters: parameters
        )
    }

    /// Signs in a person who comes back from a provider, as the current user.
    ///
    /// - Parameter callback: The URL that the provider sent the browser to, with its query.
    /// - Returns: The signed-in user, and the provider's tokens.
    /// - Throws: As the client's function.
    @discardableResult
    public func complete(callback: String) async throws(AuthError) -> CodeFlow.Result {
        let (_, verified, tokens) = try await Visit(client: client, handle: nil).end(callback)
        return CodeFlow.Result(result: try await signIn(with: verified), tokens: tokens)
    }
}
