extension AuthService {
    /// Verifies a credential, and signs in with what was verified.
    func signIn(
        with credential: AuthCredential,
        _ context: RequestContext
    ) async throws(AuthError) -> (SignedIn, VerifiedCredential) {
        let verified = try await verify(credential, context: context)
        return (try await signIn(with: verified, after: verified.seen, context), verified)
    }

    /// Signs in with a credential that was verified, and with the password of its address if that was presented, too.
    func signIn(
        with verified: VerifiedCredential,
        presenting password: PasswordProof? = nil,
        after seen: Snapshot? = nil,
        _ context: RequestContext
    ) async throws(AuthError) -> SignedIn {
        // The account that a sign-in without proof makes counts each time that the credential is used.
        if case .nothing = verified.proof.claim {
            try requireEnabled(.anonymous, in: "SignInAnonymously", context)
            try await countNewAccount("SignInAnonymously", context)
        }
        return try await perform(SignIn(proof: verified.proof, presented: password), context, after: seen)
    }
}
