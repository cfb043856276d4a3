extension AuthClient {
    /// Creates an account with an email address and a password, and signs in to it.
    ///
    /// ```swift
    /// let ann = try await client.signUp(email: email, password: password).user
    /// try await ann.sendEmailVerification()
    /// ```
    ///
    /// - Parameters:
    ///   - email: The account's address. It is not verified until its owner opens a mailed link.
    ///   - password: The password, which the policy's ``AuthPolicy/PasswordRule`` must accept.
    /// - Returns: The signed-in user.
    /// - Throws: ``AuthErrorCode/emailAlreadyInUse`` if an account has the address, ``AuthErrorCode/weakPassword``,
    ///   ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/missingEmail``, ``AuthErrorCode/tooManyRequests``,
    ///   ``AuthErrorCode/operationNotAllowed`` where passwords are disabled, ``AuthErrorCode/networkError`` if the
    ///   app's list of breached passwords does not answer, or ``AuthErrorCode/overloaded``.
    @discardableResult
    public func signUp(email: String, password: String) async throws(AuthError) -> AuthResult {
        if email.isEmpty { throw AuthError(.missingEmail) }
        let address = try service.parse(email: email)
        try service.requireEnabled(.password, in: "SignUp", context)
        try await service.countNewAccount("SignUp", context)
        let hash = try await service.prepare(newPassword: Secret(password))
        return result(try await service.perform(SignUp(email: address, password: hash), context), by: .password)
    }

    /// Signs in with a credential, to a new account if it belongs to no account.
    ///
    /// ```swift
    /// let result = try await client.signIn(with: credential)
    /// print(result.user.uid, result.isNewUser)
    /// ```
    ///
    /// - Parameter credential: What the person presents.
    /// - Returns: The signed-in user.
    /// - Throws: ``AuthErrorCode/accountExistsWithDifferentCredential`` with a ``Conflict`` if the credential's address
    ///   or number belongs to an account that the credential does not sign in to,
    ///   ``AuthErrorCode/secondFactorRequired`` with a ``SecondFactor/Challenge``,
    ///   ``AuthErrorCode/rejectedCredential`` if the identity, the number or the sign-in link is suspended until its
    ///   owner links it again, ``AuthErrorCode/userDisabled``, ``AuthErrorCode/tooManyRequests``,
    ///   ``AuthErrorCode/operationNotAllowed`` if the policy disables the sign-in method or the service has no verifier
    ///   of the provider (``AuthErrorCode/adminRestrictedOperation`` for an anonymous account),
    ///   ``AuthErrorCode/networkError`` if the provider does not answer,
    ///   ``AuthErrorCode/unsupportedFirstFactor`` if the account of the number has second factors and the policy does
    ///   not accept a number beside them (``AuthPolicy/phoneWithFactors``), ``AuthErrorCode/overloaded`` if too many
    ///   passwords are being compared, ``AuthErrorCode/mergeInProgress`` if the credential joins an account that a
    ///   merge locks, or the code that says what is wrong with the credential, such as
    ///   ``AuthErrorCode/invalidCredential``.
    @discardableResult
    public func signIn(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        let (signedIn, verified) = try await service.signIn(with: credential, context)
        return result(signedIn, by: verified)
    }

    /// Signs in with a credential that was verified before; the login counts from then.
    ///
    /// - Parameter verified: The result of ``verify(_:)``.
    /// - Returns: The signed-in user.
    /// - Throws: As ``signIn(with:)-(AuthCredential)``.
    @discardableResult
    public func signIn(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        result(try await service.signIn(with: verified, context), by: verified)
    }

    /// Signs in with a provider's credential, and keeps the password that its address has.
    ///
    /// An identity of the provider that runs the mailbox adopts an account whose address was never verified
    /// (``AuthPolicy/unverifiedOwner``). The account's password is then removed, unless the person knows it. If the
    /// password is wrong, the sign-in continues as if none was given. If there were too many wrong ones, it is not
    /// compared, and an identity that no account has yet is refused with ``AuthErrorCode/tooManyRequests``.
    /// With another kind of credential the password is not looked at.
    ///
    /// - Parameters:
    ///   - credential: What the person presents.
    ///   - password: The password of the account that has the credential's address.
    /// - Returns: The signed-in user.
    /// - Throws: As ``signIn(with:)-(AuthCredential)``.
    @discardableResult
    public func signIn(
        with credential: AuthCredential,
        retainingPassword password: String
    ) async throws(AuthError) -> AuthResult {
        let verified = try await verify(credential)
        var presented: PasswordProof?
        if let email = verified.federated?.identity.email {
            presented = try await verify(.password(email: email.text, password: password)).proof.password
        }
        return result(try await service.signIn(with: verified, presenting: presented, context), by: verified)
    }

    /// Signs in without a credential, to a new account that only this session can use.
    ///
    /// - Returns: The signed-in user.
    /// - Throws: ``AuthErrorCode/adminRestrictedOperation`` if the policy disables anonymous accounts, or
    ///   ``AuthErrorCode/tooManyRequests``.
    @discardableResult
    public func signInAnonymously() async throws(AuthError) -> AuthResult { try await signIn(with: .anonymous) }

    /// Verifies a credential without acting on it.
    ///
    /// Pass the result to a sign-in, a link, a merge or a preview. A one-time code is consumed only by an operation
    /// that succeeds, and by one that meets a conflict: the conflict keeps what the code verified.
    ///
    /// ```swift
    /// let verified = try await client.verify(credential)
    /// let preview = try await client.previewSignIn(with: verified)
    /// print(preview.answer, preview.effects, preview.reasons)
    /// return try await client.signIn(with: verified).user
    /// ```
    ///
    /// - Parameter credential: What the person presents.
    /// - Returns: The verified credential.
    /// - Throws: ``AuthErrorCode/tooManyRequests``, ``AuthErrorCode/operationNotAllowed`` if the policy disables the
    ///   provider or the service has no verifier of it, ``AuthErrorCode/networkError`` if the provider does not answer,
    ///   ``AuthErrorCode/overloaded`` if too many passwords are being compared, or the code that says what is wrong
    ///   with the credential, such as ``AuthErrorCode/invalidCredential``. A wrong password is found only by the
    ///   operation that gets the result.
    public func verify(_ credential: AuthCredential) async throws(AuthError) -> VerifiedCredential {
        var verified = try await service.verify(credential, context: context)
        // The snapshot is out of date by the time the app acts.
        verified.seen = nil
        return verified
    }

    /// Returns what signing in would do now, and changes nothing.
    ///
    /// It does not say whether the limit on new accounts of an origin is reached.
    ///
    /// ```swift
    /// let preview = try await client.previewSignIn(with: verified)
    /// print(preview.answer, preview.effects, preview.reasons)
    /// ```
    ///
    /// - Parameter verified: The result of ``verify(_:)``.
    /// - Returns: The answer, what would change, and why.
    /// - Throws: The store's error only; a refusal is part of the preview.
    public func previewSignIn(with verified: VerifiedCredential) async throws(AuthError) -> Preview {
        try await service.previewed(SignIn(proof: verified.proof), context)
    }

    /// Returns the sign-in methods of an address, as far as the policy discloses them to an unauthenticated caller.
    ///
    /// Under ``AuthPolicy/standard`` the list is always empty, as under every policy whose ``AuthPolicy/disclosure`` is
    /// not `detailed`. Call ``sendSignInMethods(to:settings:)`` there.
    ///
    /// - Parameter email: The address.
    /// - Returns: The methods, of which ``ProviderID/emailLink`` is listed apart from the password; a phone number is
    ///   never listed.
    /// - Throws: ``AuthErrorCode/invalidEmail``.
    public func fetchSignInMethods(forEmail email: String) async throws(AuthError) -> [ProviderID] {
        try await service.perform(FetchSignInMethods(email: try service.parse(email: email)), context)
    }

    /// Returns the result of a flow that created this session, by a verified credential.
    func result(_ signedIn: SignedIn, by verified: VerifiedCredential) -> AuthResult {
        result(signedIn, by: verified.provider, verified.additional)
    }

    /// Returns the result of a flow that created this session.
    func result(_ signedIn: SignedIn, by provider: ProviderID, _ additional: AdditionalUserInfo? = nil) -> AuthResult {
        AuthResult(
            user: User(client: self, signedIn: signedIn),
            isNewUser: signedIn.isNewUser,
            provider: provider,
            additionalUserInfo: additional
        )
    }
}
