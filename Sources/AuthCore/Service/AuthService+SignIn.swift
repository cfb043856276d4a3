extension AuthService {
    /// Makes an account with an address and a password, and signs in to it.
    @discardableResult
    public func signUp(
        email: String,
        password: String,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> AuthResult {
        if email.isEmpty { throw AuthError(.missingEmail) }
        let address = try parse(email: email)
        let hash = try await prepare(newPassword: Secret(password))
        let signedIn = try await walk(SignUp(email: address, password: hash), context).outcome
        return result(of: signedIn, provider: .password)
    }

    /// Signs in with a credential.
    @discardableResult
    public func signIn(
        with credential: AuthCredential,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> AuthResult {
        try await signIn(with: try await verify(credential, context: context), context: context)
    }

    /// Signs in with a credential that was checked before; the login counts from then.
    @discardableResult
    public func signIn(
        with verified: VerifiedCredential,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> AuthResult {
        let signedIn = try await walk(SignIn(verified.proof, verifiedAt: verified.verifiedAt), context).outcome
        return result(of: signedIn, provider: verified.provider, additional: verified.additional)
    }

    /// Signs in with a provider's credential and shows the password of its address in the same attempt.
    ///
    /// Where the arrival takes over an account that was never proved, whoever set its password keeps it; a wrong one keeps
    /// nothing, and the sign-in goes on without it.
    @discardableResult
    public func signIn(
        with credential: AuthCredential,
        keepingPassword password: String,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> AuthResult {
        let verified = try await verify(credential, context: context)
        var shown: PasswordProof?
        if case .federated(let proof) = verified.proof, let email = proof.identity.email,
            case .password(let proof) = try await verify(
                .password(email: email.text, password: password),
                context: context
            )
            .proof
        {
            shown = proof
        }
        let signedIn = try await walk(SignIn(verified.proof, shown: shown), context).outcome
        return result(of: signedIn, provider: verified.provider, additional: verified.additional)
    }

    /// Signs in without any credential, to a new account that only the seat holds.
    @discardableResult
    public func signInAnonymously(context: RequestContext = RequestContext()) async throws(AuthError) -> AuthResult {
        try await signIn(with: .anonymous, context: context)
    }

    func signIn(
        proof: Proof,
        factor: FactorProof?,
        _ context: RequestContext
    ) async throws(AuthError) -> SignedIn {
        try await walk(SignIn(proof, factor: factor), context).outcome
    }

    /// The methods that sign in under an address, as far as the policy lets a stranger know.
    public func fetchSignInMethods(
        forEmail email: String,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> [String] {
        try await walk(FetchSignInMethods(email: try parse(email: email)), context).outcome
    }

    func result(
        of signedIn: SignedIn,
        provider: ProviderID,
        additional: AdditionalUserInfo? = nil
    ) -> AuthResult {
        AuthResult(
            user: User(service: self, signedIn: signedIn),
            isNewUser: signedIn.isNewUser,
            provider: provider,
            additionalUserInfo: additional
        )
    }
}
