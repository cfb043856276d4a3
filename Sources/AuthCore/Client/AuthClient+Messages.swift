extension AuthClient {
    /// Sends a text message with six digits.
    ///
    /// ```swift
    /// let id = try await client.sendPhoneCode(to: number)
    /// try await client.signIn(with: .phone(verificationID: id, code: await digits()))
    /// ```
    ///
    /// - Parameter phoneNumber: The number, in international form.
    /// - Returns: An ID that goes with the digits into ``AuthCredential/phone(verificationID:code:)``.
    /// - Throws: ``AuthErrorCode/missingPhoneNumber``, ``AuthErrorCode/invalidPhoneNumber``,
    ///   ``AuthErrorCode/operationNotAllowed`` where numbers are disabled,
    ///   ``AuthErrorCode/unsupportedFirstFactor`` if the policy tells a caller that the number's account has factors
    ///   beside which it cannot sign in, ``AuthErrorCode/tooManyRequests``, or ``AuthErrorCode/messageNotSent``.
    public func sendPhoneCode(to phoneNumber: String) async throws(AuthError) -> String {
        let number = try service.parse(phoneNumber: phoneNumber)
        try service.requireEnabled(.phone, in: "RequestPhoneCode", context)
        try await service.countText(to: number, context)
        let request = RequestPhoneCode(number: number, code: service.issueDigits())
        return try await service.perform(request, context, delivering: .awaited).text
    }

    /// Mails a link that signs in the owner of the mailbox.
    ///
    /// ```swift
    /// try await client.sendSignInLink(to: email)
    /// let link = AuthCredential.EmailLink(email: email, link: await openedLink())
    /// try await client.signIn(with: .emailLink(link))
    /// ```
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/operationNotAllowed`` where sign-in links are
    ///   disabled, ``AuthErrorCode/tooManyRequests``, or the code that says what is wrong with the settings, such as
    ///   ``AuthErrorCode/unauthorizedDomain``.
    public func sendSignInLink(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await send(.signInLink, of: .emailLink, to: email, settings) {
            RequestSignInLink(email: $0, code: $1, settings: settings)
        }
    }

    /// Mails the owner of a mailbox the sign-in methods of the account that has the address.
    ///
    /// The answer is the same whether or not there is an account.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/tooManyRequests``, or the code that says what is wrong
    ///   with the settings, such as ``AuthErrorCode/unauthorizedDomain``.
    public func sendSignInMethods(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await send(.signInMethods, to: email, settings) {
            MailSignInMethods(email: $0, code: $1, settings: settings)
        }
    }

    /// Mails the owner of an address a link that sets a new password.
    ///
    /// ```swift
    /// try await client.sendPasswordReset(to: email)
    /// let report = try await client.confirmPasswordReset(code: await openedLink(), newPassword: password)
    /// if !report.suspended.isEmpty { print("Sign in, and link again what is still yours.") }
    /// ```
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - settings: What the link contains besides its code.
    /// - Throws: ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/operationNotAllowed`` where passwords are disabled,
    ///   ``AuthErrorCode/tooManyRequests``, ``AuthErrorCode/userNotFound`` if the policy discloses which addresses have
    ///   accounts, or the code that says what is wrong with the settings.
    public func sendPasswordReset(to email: String, settings: Message.Settings? = nil) async throws(AuthError) {
        try await send(.resetPassword, of: .password, to: email, settings) {
            RequestPasswordReset(email: $0, code: $1, settings: settings)
        }
    }

    /// Counts a mail to an address, and performs the request for it; the answer does not wait for the mail.
    private func send<O: Operation>(
        _ kind: Message.Kind,
        of provider: ProviderID? = nil,
        to email: String,
        _ settings: Message.Settings?,
        by request: (EmailAddress, IssuedCode) -> O
    ) async throws(AuthError) where O.Outcome == Void {
        let address = try service.parse(email: email)
        // Only a mail that is sent counts: else a stranger could use all of them up, and none would arrive.
        if let provider { try service.requireEnabled(provider, in: "\(O.self)", context) }
        let code = try service.issueMailCode(settings, context)
        try await service.countMail(kind, to: address, context)
        try await service.perform(request(address, code), context)
    }
}
