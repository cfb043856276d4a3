/// The flows of ``AuthClient``; the flows that sign a user in make that user the current one.
extension Auth {
    /// Creates an account with an email address and a password, and signs in to it.
    ///
    /// ```swift
    /// let ann = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
    /// ```
    ///
    /// See ``AuthClient/signUp(email:password:)``.
    @discardableResult
    public func signUp(email: String, password: String) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signUp(email: email, password: password))
    }

    /// Signs in with a credential, to a new account if it belongs to no account.
    ///
    /// ```swift
    /// do {
    ///     try await auth.signIn(with: .simulated(.gitHub, .ann))
    /// } catch {
    ///     guard let conflict = error.conflict else { throw error }
    ///     print(conflict.displayName, "meets an account; its owner signs in to link it")
    ///     try await auth.resolve(conflict, signingInWith: .simulated(.google, .ann))
    /// }
    /// ```
    ///
    /// The user of the result replaces the current user, whose session stays active. See
    /// ``AuthClient/signIn(with:)-(AuthCredential)``.
    @discardableResult
    public func signIn(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signIn(with: credential))
    }

    /// Signs in with a credential that was verified before; the login counts from then.
    ///
    /// See ``AuthClient/signIn(with:)-(VerifiedCredential)``.
    @discardableResult
    public func signIn(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signIn(with: verified))
    }

    /// Signs in with a provider's credential, and keeps the password that its address has.
    ///
    /// See ``AuthClient/signIn(with:retainingPassword:)``.
    @discardableResult
    public func signIn(
        with credential: AuthCredential,
        retainingPassword password: String
    ) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signIn(with: credential, retainingPassword: password))
    }

    /// Signs in without a credential, to a new account that only this session can use.
    ///
    /// Each call makes a new account, also if a guest is signed in. See ``AuthClient/signInAnonymously()``.
    @discardableResult
    public func signInAnonymously() async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signInAnonymously())
    }

    /// Verifies a credential without acting on it.
    ///
    /// See ``AuthClient/verify(_:)``.
    public func verify(_ credential: AuthCredential) async throws(AuthError) -> VerifiedCredential {
        try await client.verify(credential)
    }

    /// Returns what signing in would do now, and changes nothing.
    ///
    /// See ``AuthClient/previewSignIn(with:)``.
    public func previewSignIn(with verified: VerifiedCredential) async throws(AuthError) -> Preview {
        try await client.previewSignIn(with: verified)
    }

    /// Returns the sign-in methods of an address, as far as the policy discloses them to an unauthenticated caller.
    ///
    /// - Parameter email: The address.
    /// - Returns: The methods, of which ``ProviderID/emailLink`` is listed apart from the password; none where the
    ///   policy conceals them.
    /// - Throws: ``AuthErrorCode/invalidEmail``.
    public func fetchSignInMethods(forEmail email: String) async throws(AuthError) -> [ProviderID] {
        try await client.fetchSignInMethods(forEmail: email)
    }

    /// Signs in with a method of the existing account and links the identity that caused the conflict, in one step.
    ///
    /// ```swift
    /// if let password, let email = conflict.email {
    ///     try await auth.resolve(conflict, signingInWith: .password(email: email, password: password))
    /// } else {
    ///     try await auth.createSeparateAccount(from: conflict, verifying: link)
    /// }
    /// ```
    ///
    /// See ``AuthClient/resolve(_:signingInWith:)``.
    @discardableResult
    public func resolve(
        _ conflict: Conflict,
        signingInWith credential: AuthCredential
    ) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.resolve(conflict, signingInWith: credential))
    }

    /// Creates a new account for the identity that caused the conflict.
    ///
    /// ```swift
    /// try await auth.sendSignInLink(to: email)
    /// let link = AuthCredential.EmailLink(email: email, link: await openedLink())
    /// try await auth.createSeparateAccount(from: conflict, verifying: link)
    /// ```
    ///
    /// See ``AuthClient/createSeparateAccount(from:verifying:)``.
    @discardableResult
    public func createSeparateAccount(
        from conflict: Conflict,
        verifying link: AuthCredential.EmailLink? = nil
    ) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.createSeparateAccount(from: conflict, verifying: link))
    }
}
