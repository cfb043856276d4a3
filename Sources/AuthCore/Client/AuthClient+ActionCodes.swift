extension AuthClient {
    /// Returns what a mailed code is for, without consuming it.
    ///
    /// Whether it can still be applied is decided only then: the session that asked for a change may have ended.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Returns: The code's purpose, and its address, if it has one; see ``ActionCode/email``.
    /// - Throws: ``AuthErrorCode/invalidActionCode`` or ``AuthErrorCode/expiredActionCode``.
    public func checkActionCode(_ code: String) async throws(AuthError) -> ActionCode {
        try await service.perform(InspectAction(code: .ofMail(code)), context)
    }

    /// Applies a mailed code that verifies an address, changes an account's address, or reverses a change.
    ///
    /// If the person is signed in, call ``User/applyActionCode(_:)`` instead: only then does the code also verify the
    /// methods that the session used.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Throws: ``AuthErrorCode/invalidActionCode``, ``AuthErrorCode/expiredActionCode``,
    ///   ``AuthErrorCode/emailAlreadyInUse`` if another account owns the address by now, or
    ///   ``AuthErrorCode/mergeInProgress`` while a merge locks the account.
    public func applyActionCode(_ code: String) async throws(AuthError) {
        try await applyActionCode(code, openedIn: nil)
    }

    /// Applies a mailed code that was opened in this session, and returns that as it is now; nil outside of one, or if
    /// it has ended.
    @discardableResult
    func applyActionCode(_ code: String, openedIn session: ActingHandle?) async throws(AuthError) -> SignedIn? {
        let recovery = service.issueMailCode()
        let operation = ApplyEmailAction(code: .ofMail(code), handle: session, recovery: recovery)
        let (signedIn, restored) = try await service.perform(operation, context)
        await service.forgetAttempts(at: restored)
        return signedIn
    }

    /// Sets a new password by a mailed code; every session of the account ends.
    ///
    /// ```swift
    /// let report = try await client.confirmPasswordReset(code: await openedLink(), newPassword: password)
    /// if !report.suspended.isEmpty { print("Sign in, and link again what is still yours.") }
    /// ```
    ///
    /// - Parameters:
    ///   - code: The code, or the link that contains it.
    ///   - newPassword: The password, which the policy's ``AuthPolicy/PasswordRule`` must accept.
    /// - Returns: What happened to the account's other sign-in methods.
    /// - Throws: ``AuthErrorCode/invalidActionCode``, ``AuthErrorCode/expiredActionCode``,
    ///   ``AuthErrorCode/emailAlreadyInUse`` if another account owns the address by now,
    ///   ``AuthErrorCode/operationNotAllowed`` where passwords are disabled,
    ///   ``AuthErrorCode/weakPassword``, ``AuthErrorCode/requiresRecentLogin`` if the account got the address a short
    ///   time ago and the reset would take older methods away, or a former address can still take it back,
    ///   ``AuthErrorCode/tooManyRequests`` after many passwords that were not accepted,
    ///   ``AuthErrorCode/networkError`` if the app's list of breached passwords does not answer,
    ///   ``AuthErrorCode/overloaded``, or ``AuthErrorCode/mergeInProgress`` while a merge locks the account.
    @discardableResult
    public func confirmPasswordReset(code: String, newPassword: String) async throws(AuthError)
        -> ActionCode.RecoveryReport
    {
        let key = OneTimeRecordID.ofMail(code)
        // A code that is refused costs no hash, which would be dearer for the service than for the caller.
        let placeholder = service.configuration.passwordHasher.placeholder
        let trial = ResetPassword(code: key, password: .success(placeholder))
        let seen = try await service.previewedOutcome(of: trial, context).loaded
        try await service.countNewPassword(byCode: key, context)
        let hash = try await service.prepare(newPassword: Secret(newPassword), for: seen.account(of: key)?.id)
        let report = try await service.perform(ResetPassword(code: key, password: hash), context, after: seen)
        await service.forgetAttempts(at: report.email)
        return report
    }

    /// Reports an unauthorized change, by the code of the notice about it.
    ///
    /// Every session ends, and what the change added is suspended as far as possible. What it removed stays removed.
    /// A suspended method can be used again once its owner, signed in with another method, links it again. Ask for a
    /// new password afterwards: the person who made the change may know the old one.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Throws: ``AuthErrorCode/invalidActionCode``, ``AuthErrorCode/expiredActionCode``, or
    ///   ``AuthErrorCode/mergeInProgress`` while a merge locks the account.
    public func reportUnauthorizedChange(code: String) async throws(AuthError) {
        let email = try await service.perform(ReportUnauthorizedChange(code: .ofMail(code)), context)
        await service.forgetAttempts(at: email)
    }
}

extension OneTimeRecordID {
    /// The key of a mailed code, which may be presented bare or in its link.
    fileprivate static func ofMail(_ code: String) -> OneTimeRecordID { .mailCode(ActionCode.Link(code)?.code ?? code) }
}
