extension AuthService {
    /// Verifies a credential, and performs what its proof allows in a session.
    func perform<O: Operation>(
        with credential: AuthCredential,
        _ context: RequestContext,
        _ operation: (Proof) throws(AuthError) -> O
    ) async throws(AuthError) -> (SignedIn, VerifiedCredential?) where O.Outcome == SignedIn {
        let verified = try await verify(credential, context: context)
        return (try await perform(try operation(verified.proof), context, delivering: .awaited), verified)
    }

    /// Verifies a credential, and performs the operation that adds its method; a password is not verified but new.
    func perform<O: Operation>(
        adding credential: AuthCredential,
        by handle: ActingHandle,
        _ context: RequestContext,
        _ operation: (NewMethod) -> O
    ) async throws(AuthError) -> (SignedIn, VerifiedCredential?) where O.Outcome == SignedIn {
        guard case .password(let email, let password) = credential.content else {
            return try await perform(with: credential, context) { proof throws(AuthError) in
                operation(try NewMethod(adding: proof))
            }
        }
        let address = try parse(email: email)
        try await countNewPassword(by: handle, "LinkMethod", context)
        let method = NewMethod.password(address, try await prepare(newPassword: password, for: handle.account))
        return (try await perform(operation(method), context, delivering: .awaited), nil)
    }
}
