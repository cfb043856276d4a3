extension Auth {
    /// Makes an account with an address and a password, and signs in to it.
    @discardableResult
    public func signUp(email: String, password: String) async throws(AuthError) -> AuthResult {
        await seat(try await service.signUp(email: email, password: password, context: context))
    }

    /// Signs in with a credential.
    @discardableResult
    public func signIn(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        await seat(try await service.signIn(with: credential, context: context))
    }

    /// Signs in with a credential that was checked before.
    @discardableResult
    public func signIn(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        await seat(try await service.signIn(with: verified, context: context))
    }

    /// Signs in with a provider's credential and shows the password of its address, so that who set it keeps it.
    @discardableResult
    public func signIn(
        with credential: AuthCredential,
        keepingPassword password: String
    ) async throws(AuthError) -> AuthResult {
        await seat(try await service.signIn(with: credential, keepingPassword: password, context: context))
    }

    /// Signs in without any credential, to a new account that only this seat holds.
    @discardableResult
    public func signInAnonymously() async throws(AuthError) -> AuthResult {
        await seat(try await service.signInAnonymously(context: context))
    }

    /// Signs out; with nobody signed in there is nothing to do.
    public func signOut() async throws(AuthError) {
        guard let user = currentUser else { return }
        try await user.signOut()
    }

    /// Signs in with an existing method and links the identity that met the conflict.
    @discardableResult
    public func resolve(
        _ conflict: Conflict,
        signingInWith credential: AuthCredential
    ) async throws(AuthError) -> AuthResult {
        await seat(try await service.resolve(conflict, signingInWith: credential, context: context))
    }

    /// Answers a conflict by a new account: the address or number moves there, and the old account keeps the rest.
    @discardableResult
    public func startFresh(
        from conflict: Conflict,
        provingWith credential: AuthCredential? = nil
    ) async throws(AuthError) -> AuthResult {
        await seat(try await service.startFresh(from: conflict, provingWith: credential, context: context))
    }

    /// What signing in with this proof would do now.
    public func preview(signInWith verified: VerifiedCredential) async throws(AuthError) -> Preview {
        try await service.preview(signInWith: verified, context: context)
    }

    /// Checks a credential without acting on it.
    public func verify(_ credential: AuthCredential) async throws(AuthError) -> VerifiedCredential {
        try await service.verify(credential, context: context)
    }

    /// Sends digits to a number; the id that comes back goes into `AuthCredential.phone`.
    public func sendPhoneCode(to phoneNumber: String) async throws(AuthError) -> String {
        try await service.sendPhoneCode(to: phoneNumber, context: context)
    }

    /// Mails a link that signs in whoever owns the mailbox.
    public func sendSignInLink(to email: String, settings: MessageSettings? = nil) async throws(AuthError) {
        try await service.sendSignInLink(to: email, settings: settings, context: context)
    }

    /// Mails whoever owns the mailbox how the account of its address is signed in to; everybody who asks is answered alike.
    public func mailSignInMethods(to email: String, settings: MessageSettings? = nil) async throws(AuthError) {
        try await service.mailSignInMethods(to: email, settings: settings, context: context)
    }

    /// Mails the owner of an address a link that sets a new password.
    public func sendPasswordReset(to email: String, settings: MessageSettings? = nil) async throws(AuthError) {
        try await service.sendPasswordReset(to: email, settings: settings, context: context)
    }

    /// Sets a new password by a mailed code; the report says what became of the account's other ways in.
    @discardableResult
    public func confirmPasswordReset(
        code: String,
        newPassword: String
    ) async throws(AuthError) -> RecoveryReport {
        try await service.confirmPasswordReset(code: code, newPassword: newPassword, context: context)
    }

    /// Says what a mailed code is for, and uses nothing up.
    public func inspect(code: String) async throws(AuthError) -> ActionCode {
        try await service.inspect(code: code, context: context)
    }

    /// Applies a mailed code that proves an address, moves an account to one, or takes a move back.
    public func apply(code: String) async throws(AuthError) {
        try await service.apply(code: code, in: currentUser?.session.id, context: context)
    }

    /// Takes back a change by the code of a notice about it: what it added is suspended, and every session ends.
    public func repudiate(code: String) async throws(AuthError) {
        try await service.repudiate(code: code, context: context)
    }

    /// The methods that sign in under an address, as far as the policy lets a stranger know.
    public func fetchSignInMethods(forEmail email: String) async throws(AuthError) -> [String] {
        try await service.fetchSignInMethods(forEmail: email, context: context)
    }
}
