extension User {
    /// Changes the name and the picture shown to others; what is not mentioned stays.
    public func updateProfile(
        displayName: ProfileChange = .keep,
        photoURL: ProfileChange = .keep
    ) async throws(AuthError) {
        try checkBounds(of: [displayName.value, photoURL.value], in: "UpdateProfile")
        _ = try await act(UpdateProfile(handle: handle, displayName: displayName, photoURL: photoURL))
    }

    /// Moves the account to another address at once, without a proof of it.
    public func updateEmail(to email: String) async throws(AuthError) {
        let address = try service.parse(email: email)
        let operation = ChangeEmail(handle: handle, email: address, recovery: try service.issueMailCode())
        adopt(try await perform(operation, .afterwards))
    }

    /// Sets the password; the account's other sessions end.
    public func updatePassword(to password: String) async throws(AuthError) {
        let hash = try await service.prepare(newPassword: Secret(password))
        _ = try await act(ChangePassword(handle: handle, password: hash))
    }

    /// Mails a link that proves the address.
    public func sendEmailVerification(settings: MessageSettings? = nil) async throws(AuthError) {
        if let email { try await service.countMessage(to: email, context) }
        let operation = RequestEmailVerification(
            handle: handle,
            code: try service.issueMailCode(settings),
            settings: settings
        )
        _ = try await perform(operation)
    }

    /// Mails a new address a link that proves it and moves the account to it.
    public func sendEmailVerification(
        beforeUpdatingTo email: String,
        settings: MessageSettings? = nil
    ) async throws(AuthError) {
        let address = try service.parse(email: email)
        try await service.countMessage(to: address.text, context)
        let operation = RequestEmailChange(
            handle: handle,
            email: address,
            code: try service.issueMailCode(settings),
            settings: settings
        )
        _ = try await perform(operation)
    }

    /// Looks at the account again.
    public func reload() async throws(AuthError) {
        _ = try await act(Reload(handle: handle))
    }

    /// Deletes the account with everything that belongs to it.
    ///
    /// Where the policy gives a grace (``AuthPolicy/deletionGrace``), signing in takes the deletion back meanwhile, unless
    /// it is permanent.
    public func delete(permanently isFinal: Bool = false) async throws(AuthError) {
        _ = try await perform(DeleteAccount(handle: handle, isFinal: isFinal))
        await clearCurrentUser(.signedOut)
    }

    /// The living sessions of the account, oldest first.
    public func sessions() async throws(AuthError) -> [Session] {
        try await perform(ListSessions(handle: handle))
    }

    /// Ends another session of the account.
    public func revokeSession(_ id: SessionID) async throws(AuthError) {
        _ = try await act(RevokeSessions(handle: handle, target: id))
    }

    /// Ends every session of the account but this one.
    public func revokeOtherSessions() async throws(AuthError) {
        _ = try await act(RevokeSessions(handle: handle, target: nil))
    }

    /// Ends this session, and signs the user out on this device.
    ///
    /// - Throws: The error of the store if it could not be told; the user is signed out on this device all the same.
    public func signOut() async throws(AuthError) {
        await clearCurrentUser(.signedOut)
        _ = try await perform(SignOut(handle: handle))
    }

    /// Applies a mailed code that was opened in this session.
    ///
    /// A code that verifies the account's address then vouches for the methods that the session used, too.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Throws: ``AuthErrorCode/invalidActionCode`` or ``AuthErrorCode/expiredActionCode``.
    public func applyActionCode(_ code: String) async throws(AuthError) {
        try await client.applyActionCode(code, openedIn: handle.session)
    }
}
