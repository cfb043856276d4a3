/// The flows of ``AuthClient``; the flows that sign a user in make that user the current one.
extension Auth {
    /// Creates an account with an email address and a password, and signs in to it.
    ///
    /// ```swift
    /// let ann = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
    /// ```
    ///
    /// - Parameters:
    ///   - email: The account's address. It is not verified until its owner opens a mailed link.
    ///   - password: The password, which the policy's ``AuthPolicy/PasswordRule`` must accept.
    /// - Returns: The signed-in user, who is the current user from now on.
    /// - Throws: As ``AuthClient/signUp(email:password:)``. An error does not change the current user.
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
    ///     print(conflict.provider, conflict.displayName, "meets an account; its owner signs in to link it")
    ///     try await auth.resolve(conflict, signingInWith: .simulated(.google, .ann))
    /// }
    /// ```
    ///
    /// The user of the result replaces the current user, whose session stays active.
    ///
    /// - Parameter credential: What the person presents.
    /// - Returns: The signed-in user, who is the current user from now on.
    /// - Throws: As ``AuthClient/signIn(with:)-(AuthCredential)``. An error does not change the current user.
    @discardableResult
    public func signIn(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signIn(with: credential))
    }

    /// Signs in with a credential that was verified before; the login counts from then.
    ///
    /// - Parameter verified: The result of ``verify(_:)``.
    /// - Returns: The signed-in user, who is the current user from now on.
    /// - Throws: As ``AuthClient/signIn(with:)-(VerifiedCredential)``. An error does not change the current user.
    @discardableResult
    public func signIn(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signIn(with: verified))
    }

    /// Signs in with a provider's credential, and keeps the password that its address has.
    ///
    /// If the password is wrong, the sign-in continues as if none was given. If there were too many wrong ones, it is
    /// not compared, and an identity that no account has yet is refused with ``AuthErrorCode/tooManyRequests``.
    ///
    /// - Parameters:
    ///   - credential: What the person presents.
    ///   - password: The password of the account that has the credential's address.
    /// - Returns: The signed-in user, who is the current user from now on.
    /// - Throws: As ``AuthClient/signIn(with:retainingPassword:)``. An error does not change the current user.
    @discardableResult
    public func signIn(
        with credential: AuthCredential,
        retainingPassword password: String
    ) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signIn(with: credential, retainingPassword: password))
    }

    /// Signs in without a credential, to a new account that only this session can use.
    ///
    /// Each call makes a new account, also if a guest is signed in. Only this session gives access to the account,
    /// until a sign-in method is linked.
    ///
    /// ```swift
    /// let guest = try await auth.signInAnonymously().user
    /// try await guest.link(with: .simulated(.apple, .ben))
    /// ```
    ///
    /// - Returns: The signed-in guest, who is the current user from now on.
    /// - Throws: As ``AuthClient/signInAnonymously()``. An error does not change the current user.
    @discardableResult
    public func signInAnonymously() async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.signInAnonymously())
    }

    /// Verifies a credential without acting on it.
    ///
    /// Pass the result to a sign-in, a link, a merge or a preview.
    ///
    /// - Parameter credential: What the person presents.
    /// - Returns: The verified credential.
    /// - Throws: As ``AuthClient/verify(_:)``.
    public func verify(_ credential: AuthCredential) async throws(AuthError) -> VerifiedCredential {
        try await client.verify(credential)
    }

    /// Returns what signing in would do now, and changes nothing.
    ///
    /// - Parameter verified: The result of ``verify(_:)``.
    /// - Returns: The answer, what would change, and why.
    /// - Throws: As ``AuthClient/previewSignIn(with:)``; a refusal is part of the preview.
    public func previewSignIn(with verified: VerifiedCredential) async throws(AuthError) -> Preview {
        try await client.previewSignIn(with: verified)
    }

    /// Returns the sign-in methods of an address, as far as the policy discloses them to an unauthenticated caller.
    ///
    /// Under ``AuthPolicy/standard`` the list is always empty, as under every policy whose ``AuthPolicy/disclosure`` is
    /// not `detailed`. Call ``sendSignInMethods(to:settings:)`` there.
    ///
    /// - Parameter email: The address.
    /// - Returns: The methods, of which ``ProviderID/emailLink`` is listed apart from the password; a phone number is
    ///   never listed.
    /// - Throws: As ``AuthClient/fetchSignInMethods(forEmail:)``.
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
    /// - Parameters:
    ///   - conflict: The conflict, from the error of a sign-in.
    ///   - credential: A credential of the existing account, or a link that was mailed to its address.
    /// - Returns: The signed-in user of the existing account, who is the current user from now on.
    /// - Throws: As ``AuthClient/resolve(_:signingInWith:)``. An error does not change the current user.
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
    /// - Parameters:
    ///   - conflict: The conflict, from the error of a sign-in.
    ///   - link: A link that was mailed to the conflict's address; nil for a number, or where the credential verifies
    ///     the mailbox.
    /// - Returns: The signed-in user of the new account, who is the current user from now on.
    /// - Throws: As ``AuthClient/createSeparateAccount(from:verifying:)``. An error does not change the current user.
    @discardableResult
    public func createSeparateAccount(
        from conflict: Conflict,
        verifying link: AuthCredential.EmailLink? = nil
    ) async throws(AuthError) -> AuthResult {
        await setCurrentUser(try await client.createSeparateAccount(from: conflict, verifying: link))
    }
}
