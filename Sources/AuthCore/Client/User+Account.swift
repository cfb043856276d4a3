extension User {
    /// Changes the name and the picture that others see.
    ///
    /// ```swift
    /// try await user.updateProfile(displayName: .set(name), photoURL: .clear)
    /// ```
    ///
    /// - Parameters:
    ///   - displayName: The change of the name.
    ///   - photoURL: The change of the picture's address.
    /// - Throws: ``AuthErrorCode/textTooLong`` if a value is too long, or the code that says why the session is over.
    public func updateProfile(
        displayName: Account.ProfileChange = .keep,
        photoURL: Account.ProfileChange = .keep
    ) async throws(AuthError) {
        try checkBounds(of: [displayName.value, photoURL.value], in: "UpdateProfile")
        try await act(UpdateProfile(handle: handle, displayName: displayName, photoURL: photoURL))
    }

    /// Changes the account's address at once, before it is verified.
    ///
    /// Prefer ``sendEmailVerification(beforeUpdatingTo:settings:)``.
    ///
    /// - Parameters:
    ///   - email: The new address.
    ///   - settings: What the link that restores the old address contains besides its code.
    /// - Throws: ``AuthErrorCode/emailAlreadyInUse``, ``AuthErrorCode/requiresRecentLogin``,
    ///   ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/tooManyRequests``, or
    ///   ``AuthErrorCode/emailChangeNeedsVerification`` if the policy does not allow it, and always for a guest if the
    ///   policy gives an account an address only by a proof: link a sign-in link then;
    ///   ``AuthErrorCode/unverifiedEmail`` if a factor needs the verified address,
    ///   ``AuthErrorCode/mergeInProgress`` while a merge locks the account, or the code that says what is wrong with
    ///   the settings.
    public func updateEmail(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        let address = try service.parse(email: email)
        let code = try service.issueMailCode(settings, context)
        try await service.countNewPassword(by: handle, "ChangeEmail", context)
        try await act(ChangeEmail(handle: handle, email: address, recovery: code, settings: settings))
    }

    /// Sets the password; the account's other sessions end.
    ///
    /// ```swift
    /// try await user.reauthenticate(with: .password(email: email, password: old))
    /// try await user.updatePassword(to: new)
    /// ```
    ///
    /// - Parameter password: The password, which the policy's ``AuthPolicy/PasswordRule`` must accept.
    /// - Throws: ``AuthErrorCode/missingEmail`` if the account has no address, ``AuthErrorCode/weakPassword``,
    ///   ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/tooManyRequests``,
    ///   ``AuthErrorCode/operationNotAllowed`` where passwords are disabled, ``AuthErrorCode/networkError`` if the
    ///   app's list of breached passwords does not answer, ``AuthErrorCode/overloaded``, or
    ///   ``AuthErrorCode/mergeInProgress`` while a merge locks the account; where it is the first password and the
    ///   address only displayed, also ``AuthErrorCode/emailAlreadyInUse`` or
    ///   ``AuthErrorCode/emailChangeNeedsVerification``.
    public func updatePassword(to password: String) async throws(AuthError) {
        try await service.countNewPassword(by: handle, "ChangePassword", context)
        let hash = try await service.prepare(newPassword: Secret(password), for: handle.account)
        try await act(ChangePassword(handle: handle, password: hash))
    }

    /// Mails a link that verifies the account's address.
    ///
    /// - Parameter settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/missingEmail`` if the account has no address, ``AuthErrorCode/tooManyRequests``,
    ///   ``AuthErrorCode/messageNotSent``, or the code that says what is wrong with the settings, such as
    ///   ``AuthErrorCode/unauthorizedDomain``.
    public func sendEmailVerification(settings: Message.Settings? = nil) async throws(AuthError) {
        let code = try service.issueMailCode(settings, context)
        try await service.countVerification(by: handle, context)
        _ = try await perform(RequestEmailVerification(handle: handle, code: code, settings: settings))
    }

    /// Mails a new address a link that verifies it and makes it the account's.
    ///
    /// ```swift
    /// try await user.reauthenticate(with: again)
    /// try await user.sendEmailVerification(beforeUpdatingTo: email)
    /// ```
    ///
    /// - Parameters:
    ///   - email: The new address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/emailAlreadyInUse``, ``AuthErrorCode/requiresRecentLogin``,
    ///   ``AuthErrorCode/missingEmail`` if the account has no address (link a sign-in link then),
    ///   ``AuthErrorCode/invalidEmail``,
    ///   ``AuthErrorCode/tooManyRequests``, ``AuthErrorCode/messageNotSent``, or the code that says what is wrong with
    ///   the settings.
    public func sendEmailVerification(
        beforeUpdatingTo email: String,
        settings: Message.Settings? = nil
    ) async throws(AuthError) {
        let address = try service.parse(email: email)
        let code = try service.issueMailCode(settings, context)
        let operation = RequestEmailChange(handle: handle, email: address, code: code, settings: settings)
        try await service.countNewPassword(by: handle, "RequestEmailChange", context)
        let seen = try await requirePermission(for: operation)
        try await service.countMail(.changeEmail, to: address, context)
        // A failure to send would tell whether the address can receive mail.
        let isTold = service.policy.tellsOwnership(to: account)
        _ = try await perform(operation, delivering: isTold ? .awaited : .afterwards, after: seen)
    }

    /// Reads the account and the session from the store again.
    ///
    /// - Throws: ``AuthErrorCode/userTokenExpired``, ``AuthErrorCode/userDisabled``, ``AuthErrorCode/userNotFound`` or
    ///   ``AuthErrorCode/accountMerged`` if the session is over.
    public func reload() async throws(AuthError) { try await act(Reload(handle: handle)) }

    /// Deletes the account and everything that belongs to it.
    ///
    /// If the policy has a grace period (``AuthPolicy/deletionGrace``), signing in, or a password reset, cancels the
    /// deletion. It lasts longer where a former address can still be restored.
    ///
    /// ```swift
    /// do {
    ///     try await user.delete()
    /// } catch {
    ///     guard error.code == .requiresRecentLogin else { throw error }
    ///     try await user.reauthenticate(with: again)
    ///     try await user.delete()
    /// }
    /// ```
    ///
    /// - Parameter isFinal: Whether to delete at once, whatever the policy says.
    /// - Throws: ``AuthErrorCode/requiresRecentLogin``, or ``AuthErrorCode/mergeInProgress`` while the hooks of a merge
    ///   have not all been told how it ended.
    public func delete(permanently isFinal: Bool = false) async throws(AuthError) {
        _ = try await perform(DeleteAccount(handle: handle, isFinal: isFinal))
        _ = await clearCurrentUser(.signedOut)?.result
        // The current user may be another sign-in to the account.
        await noticeEndedSession()
    }

    /// Returns the account's sessions that are not over, oldest first.
    ///
    /// ```swift
    /// try await user.sessions().map { session in
    ///     let name = session.deviceName ?? "an unnamed device"
    ///     return session.isCurrent ? "\(name) (this one)" : name
    /// }
    /// ```
    ///
    /// - Returns: The sessions, this one among them.
    /// - Throws: As ``reload()`` if this session is over.
    public func sessions() async throws(AuthError) -> [SessionInfo] {
        try await perform(ListSessions(handle: handle)).map { SessionInfo($0, isCurrent: $0.id == handle.session) }
    }

    /// Ends a session of the account; this one as ``signOut()`` does.
    ///
    /// ```swift
    /// for session in try await user.sessions() where session.deviceName == deviceName {
    ///     try await user.revokeSession(session.id)
    /// }
    /// ```
    ///
    /// - Parameter id: The session, from ``sessions()``.
    /// - Throws: As ``reload()`` if this session is over.
    public func revokeSession(_ id: SessionID) async throws(AuthError) {
        if id == handle.session { return try await signOut() }
        try await act(RevokeSessions(handle: handle, target: id))
    }

    /// Ends every session of the account except this one.
    ///
    /// The earlier tokens of this session are refused, too, so a server answers with new tokens of ``issueTokens()``.
    ///
    /// - Throws: As ``reload()`` if this session is over.
    public func revokeOtherSessions() async throws(AuthError) {
        try await act(RevokeSessions(handle: handle, target: nil))
    }

    /// Ends this session, and signs the user out on this device.
    ///
    /// - Throws: The store's error if the session could not be ended there; the user is signed out on this device
    ///   anyway.
    public func signOut() async throws(AuthError) {
        let saving = clearCurrentUser(.signedOut)
        // What the app does about the sign-out can cancel the caller.
        do throws(AuthError) {
            try await service.insisting { try await self.perform(SignOut(handle: self.handle)) }
        } catch {
            _ = await saving?.result
            throw error
        }
        _ = await saving?.result
    }

    /// Applies a mailed code that was opened in this session.
    ///
    /// A code that verifies the account's address then also verifies the methods that the session used.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Throws: As ``AuthClient/applyActionCode(_:)``.
    public func applyActionCode(_ code: String) async throws(AuthError) {
        if let signedIn = try await client.applyActionCode(code, openedIn: handle) { return await adopt(signedIn) }
        // The code may have ended the session; then the person is signed out here, too.
        try? await service.insisting { try await self.reload() }
    }
}
