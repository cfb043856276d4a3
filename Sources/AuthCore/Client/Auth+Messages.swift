extension Auth {
    /// Sends a text message with six digits, and returns the ID that a credential needs together with them.
    ///
    /// ```swift
    /// let id = try await auth.sendPhoneCode(to: number)
    /// return try await auth.signIn(with: .phone(verificationID: id, code: await digits())).user
    /// ```
    ///
    /// - Parameter phoneNumber: The number, in international form.
    /// - Returns: An ID that goes with the digits into ``AuthCredential/phone(verificationID:code:)``.
    /// - Throws: As ``AuthClient/sendPhoneCode(to:)``.
    public func sendPhoneCode(to phoneNumber: String) async throws(AuthError) -> String {
        try await client.sendPhoneCode(to: phoneNumber)
    }

    /// Mails a link that signs in the owner of the mailbox.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: As ``AuthClient/sendSignInLink(to:settings:)``.
    public func sendSignInLink(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await client.sendSignInLink(to: email, settings: settings)
    }

    /// Mails the owner of a mailbox the sign-in methods of the account that has the address.
    ///
    /// The answer is the same whether or not there is an account.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: As ``AuthClient/sendSignInMethods(to:settings:)``.
    public func sendSignInMethods(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await client.sendSignInMethods(to: email, settings: settings)
    }

    /// Mails the owner of an address a link that sets a new password.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: As ``AuthClient/sendPasswordReset(to:settings:)``.
    public func sendPasswordReset(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await client.sendPasswordReset(to: email, settings: settings)
    }

    /// Returns what a mailed code is for, without consuming it.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Returns: The code's purpose, and its address, if it has one; see ``ActionCode/email``.
    /// - Throws: As ``AuthClient/checkActionCode(_:)``.
    public func checkActionCode(_ code: String) async throws(AuthError) -> ActionCode {
        try await client.checkActionCode(code)
    }

    /// Applies a mailed code that verifies an address, changes an account's address, or reverses a change.
    ///
    /// If a user is signed in, this is ``User/applyActionCode(_:)`` of the current user: a code that verifies the
    /// account's address then also verifies the methods that the session used. If the code ends the current user's
    /// session, no user is signed in afterwards.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Throws: As ``AuthClient/applyActionCode(_:)``.
    public func applyActionCode(_ code: String) async throws(AuthError) {
        if let currentUser { return try await currentUser.applyActionCode(code) }
        try await client.applyActionCode(code)
    }

    /// Sets a new password by a mailed code; every session of the account ends.
    ///
    /// If the code is of the current user's account, no user is signed in afterwards.
    ///
    /// - Parameters:
    ///   - code: The code, or the link that contains it.
    ///   - newPassword: The password, which the policy's ``AuthPolicy/PasswordRule`` must accept.
    /// - Returns: What happened to the account's other sign-in methods.
    /// - Throws: As ``AuthClient/confirmPasswordReset(code:newPassword:)``.
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
    /// What the change added is suspended, and every session of the account ends. If it is the current user's account,
    /// no user is signed in afterwards.
    ///
    /// - Parameter code: The code, or the link that contains it.
    /// - Throws: As ``AuthClient/reportUnauthorizedChange(code:)``.
    public func reportUnauthorizedChange(code: String) async throws(AuthError) {
        try await client.reportUnauthorizedChange(code: code)
        await noticeEndedSession()
    }
}
