extension AuthClient {
    /// Sends a text message with six digits.
    ///
    /// - Parameter phoneNumber: The number, in international form.
    /// - Returns: An id that goes with the digits into ``AuthCredential/phone(verificationID:code:)``.
    /// - Throws: ``AuthErrorCode/invalidPhoneNumber``, ``AuthErrorCode/tooManyRequests``, or
    ///   ``AuthErrorCode/internalError`` if the message could not be sent.
    public func sendPhoneCode(to phoneNumber: String) async throws(AuthError) -> String {
        let number = try service.parse(phoneNumber: phoneNumber)
        try await service.countText(to: number, context)
        let request = RequestPhoneCode(number: number, code: service.issueDigits())
        return try await service.performAndDeliver(request, context, .awaited).text
    }

    /// Mails a link that signs in the owner of the mailbox.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/invalidEmail`` or ``AuthErrorCode/tooManyRequests``.
    public func sendSignInLink(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        let address = try await recipient(email, .signInLink)
        let code = try service.issueMailCode(settings)
        let request = RequestSignInLink(email: address, code: code, settings: settings)
        try await service.performAndDeliver(request, context, .afterwards)
    }

    /// Mails the owner of a mailbox the sign-in methods of the account that has the address.
    ///
    /// The answer is the same whether or not there is an account.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/invalidEmail`` or ``AuthErrorCode/tooManyRequests``.
    public func sendSignInMethods(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        let address = try await recipient(email, .signInMethods)
        let code = try service.issueMailCode(settings)
        let request = MailSignInMethods(email: address, code: code, settings: settings)
        try await service.performAndDeliver(request, context, .afterwards)
    }

    /// Mails the owner of an address a link that sets a new password.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/tooManyRequests``, or ``AuthErrorCode/userNotFound``
    ///   if the policy discloses which addresses have accounts.
    public func sendPasswordReset(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        let address = try await recipient(email, .resetPassword)
        let code = try service.issueMailCode(settings)
        let request = RequestPasswordReset(email: address, code: code, settings: settings)
        try await service.performAndDeliver(request, context, .afterwards)
    }

    /// Returns the address to mail to, and counts the mail.
    private func recipient(_ email: String, _ kind: Message.Kind) async throws(AuthError) -> EmailAddress {
        let address = try service.parse(email: email)
        try await service.countMail(kind, to: address, context)
        return address
    }
}
