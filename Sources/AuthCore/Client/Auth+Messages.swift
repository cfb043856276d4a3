extension Auth {
    /// Sends a text message with six digits, and returns the id that a credential needs together with them.
    ///
    /// See ``AuthClient/sendPhoneCode(to:)``.
    public func sendPhoneCode(to phoneNumber: String) async throws(AuthError) -> String {
        try await client.sendPhoneCode(to: phoneNumber)
    }

    /// Mails a link that signs in the owner of the mailbox.
    ///
    /// See ``AuthClient/sendSignInLink(to:settings:)``.
    public func sendSignInLink(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await client.sendSignInLink(to: email, settings: settings)
    }

    /// Mails the owner of a mailbox the sign-in methods of the account that has the address.
    ///
    /// See ``AuthClient/sendSignInMethods(to:settings:)``.
    public func sendSignInMethods(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await client.sendSignInMethods(to: email, settings: settings)
    }

    /// Mails the owner of an address a link that sets a new password.
    ///
    /// See ``AuthClient/sendPasswordReset(to:settings:)``.
    public func sendPasswordReset(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await client.sendPasswordReset(to: email, settings: settings)
    }

    /// Returns what a mailed code is for, without consuming it.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Returns: The code's purpose, and its address, except for a sign-in link.
    /// - Throws: ``AuthErrorCode/invalidActionCode`` or ``AuthErrorCode/expiredActionCode``.
    public func checkActionCode(_ code: String) async throws(AuthError) -> ActionCode {
        try await client.checkActionCode(code)
    }

    /// Applies a mailed code that verifies an address, changes an account's address, or reverses a change.
    ///
    /// With a user signed in it does what ``User/applyActionCode(_:)`` does.
    public func applyActionCode(_ code: String) async throws(AuthError) {
        if let currentUser { return try await currentUser.applyActionCode(code) }
        try await client.applyActionCode(code)
    }

    /// Sets a new password by a mailed code; every session of the account ends.
    ///
    /// See ``AuthClient/confirmPasswordReset(code:newPassword:)``.
    @discardableResult
    public func confirmPasswordReset(code: String, newPassword: String) async throws(AuthError)
        -> ActionCode.RecoveryReport
    {
        let report = try await client.confirmPasswordReset(code: code, newPassword: newPassword)
        if let device = report.device { await use(device) }
        await noticeEndedSession()
        return report
    }

    /// Reports an unauthorized change, by the code of the notice about it.
    ///
    /// See ``AuthClient/reportUnauthorizedChange(code:)``.
    public func reportUnauthorizedChange(code: String) async throws(AuthError) {
        try await client.reportUnauthorizedChange(code: code)
        await noticeEndedSession()
    }
}
