extension AuthService {
    /// Sends digits to a number; the id that comes back goes into `AuthCredential.phone`.
    public func sendPhoneCode(
        to phoneNumber: String,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> String {
        let number = try parse(phoneNumber: phoneNumber)
        try await countMessage(to: number.text, context)
        let request = RequestPhoneCode(number: number, code: issueDigits())
        return try await walkAndSend(request, context, .awaited).text
    }

    /// Mails a link that signs in whoever owns the mailbox.
    public func sendSignInLink(
        to email: String,
        settings: MessageSettings? = nil,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) {
        let address = try parse(email: email)
        try await countMessage(to: address.text, context)
        let request = RequestSignInLink(email: address, code: try issueMailCode(settings), settings: settings)
        try await walkAndSend(request, context, .afterwards)
    }

    /// Mails whoever owns the mailbox how the account of its address is signed in to; everybody who asks is answered alike.
    public func mailSignInMethods(
        to email: String,
        settings: MessageSettings? = nil,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) {
        let address = try parse(email: email)
        try await countMessage(to: address.text, context)
        let request = MailSignInMethods(email: address, code: try issueMailCode(settings), settings: settings)
        try await walkAndSend(request, context, .afterwards)
    }

    /// Mails the owner of an address a link that sets a new password.
    public func sendPasswordReset(
        to email: String,
        settings: MessageSettings? = nil,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) {
        let address = try parse(email: email)
        try await countMessage(to: address.text, context)
        let request = RequestPasswordReset(email: address, code: try issueMailCode(settings), settings: settings)
        try await walkAndSend(request, context, .afterwards)
    }

    /// Says what a mailed code is for, and uses nothing up.
    public func inspect(code: String, context: RequestContext = RequestContext()) async throws(AuthError) -> ActionCode
    {
        try await walk(InspectAction(code: key(ofCode: code)), context).outcome
    }

    /// Applies a mailed code that proves an address, moves an account to one, or takes a move back.
    ///
    /// Name the session if the link was opened in one: only then does the proof vouch for the methods used in it.
    public func apply(
        code: String,
        in session: SessionID? = nil,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) {
        let recovery = try issueMailCode()
        let operation = ApplyEmailAction(code: key(ofCode: code), opener: session, recovery: recovery)
        _ = try await walkAndSend(operation, context, .afterwards)
    }

    /// Takes back a change by the code of a notice about it: what it added is suspended, and every session ends.
    ///
    /// What the change removed stays removed. What is suspended can be used again once its person, signed in otherwise,
    /// links it anew. Go on with a new password: whoever made the change may know the old one.
    public func repudiate(code: String, context: RequestContext = RequestContext()) async throws(AuthError) {
        _ = try await walk(Repudiate(code: key(ofCode: code)), context)
    }

    /// Sets a new password by a mailed code; every session of the account ends, and the report says what became of the
    /// other ways in.
    @discardableResult
    public func confirmPasswordReset(
        code: String,
        newPassword: String,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> RecoveryReport {
        let hash = try await prepare(newPassword: Secret(newPassword))
        return try await walk(ResetPassword(code: key(ofCode: code), password: hash), context).outcome
    }

    /// A code may be handed over bare or in its link.
    private func key(ofCode code: String) -> CapabilityKey {
        .mailCode(ActionLink(code)?.code ?? code)
    }
}
