import AuthCoreCrypto

/// The second factors of a signed-in user.
///
/// ```swift
/// func enrollApp(of user: User, digits: (String) -> String) async throws {
///     let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
///     try await user.multiFactor.enroll(enrollment, code: digits(enrollment.provisioningURI))
/// }
/// ```
public struct MultiFactor: Sendable {
    private let user: User

    init(user: User) { self.user = user }

    /// The enrolled factors, as of the user's last operation.
    public var enrolledFactors: [SecondFactor.Challenge.Hint] {
        user.account.factors.map(SecondFactor.Challenge.Hint.init)
    }

    /// How many recovery codes are left.
    public var remainingRecoveryCodeCount: Int { user.account.recoveryCodes.count }

    /// Sends digits to a phone number that is to become a factor.
    ///
    /// - Parameter phoneNumber: The number, in international form.
    /// - Returns: An ID that goes with the digits into ``enroll(phoneVerificationID:code:displayName:)``.
    /// - Throws: ``AuthErrorCode/unverifiedEmail`` if the account has no verified address,
    ///   ``AuthErrorCode/secondFactorAlreadyEnrolled`` if the number is a factor of the account or signs in to it,
    ///   ``AuthErrorCode/maximumSecondFactorCountExceeded``, ``AuthErrorCode/requiresRecentLogin``,
    ///   ``AuthErrorCode/unsupportedFirstFactor``, ``AuthErrorCode/missingPhoneNumber``,
    ///   ``AuthErrorCode/invalidPhoneNumber``, ``AuthErrorCode/tooManyRequests``, or ``AuthErrorCode/messageNotSent``.
    public func sendPhoneCode(to phoneNumber: String) async throws(AuthError) -> String {
        let service = user.service
        let number = try service.parse(phoneNumber: phoneNumber)
        let request = RequestEnrollmentCode(handle: user.handle, number: number, code: service.issueDigits())
        let seen = try await user.requirePermission(for: request)
        try await service.countText(to: number, user.context)
        return try await user.perform(request, after: seen).text
    }

    /// Enrolls the phone number as a factor.
    ///
    /// ```swift
    /// let id = try await user.multiFactor.sendPhoneCode(to: number)
    /// try await user.multiFactor.enroll(phoneVerificationID: id, code: await digits())
    /// ```
    ///
    /// - Parameters:
    ///   - verificationID: The ID that ``sendPhoneCode(to:)`` returned.
    ///   - code: The digits.
    ///   - displayName: A name by which its owner recognizes the factor.
    /// - Throws: ``AuthErrorCode/invalidVerificationCode``, ``AuthErrorCode/invalidVerificationID``,
    ///   ``AuthErrorCode/missingVerificationCode`` or ``AuthErrorCode/missingVerificationID`` if one is empty,
    ///   ``AuthErrorCode/sessionExpired`` if the digits have expired, ``AuthErrorCode/deviceMismatch`` on another
    ///   device than the one that asked for them, ``AuthErrorCode/textTooLong`` if the name is too long,
    ///   ``AuthErrorCode/lastMethod`` if nothing could sign in beside the factor, ``AuthErrorCode/mergeInProgress``
    ///   while a merge locks the account, or an error of ``sendPhoneCode(to:)``.
    public func enroll(
        phoneVerificationID verificationID: String,
        code: String,
        displayName: String? = nil
    ) async throws(AuthError) {
        try await enroll(named: displayName) { () async throws(AuthError) in
            let service = user.service
            let digits = try await service.verifyDigits(
                verificationID: verificationID,
                code: Secret(code),
                for: .enrollment(user.account.id),
                user.context
            )
            return EnrollFactor.NewFactor(kind: .phone(digits.sent.number), record: digits.key)
        }
    }

    /// Makes a seed for an authenticator app.
    ///
    /// The factor exists once ``enroll(_:code:displayName:)`` gets a code that was made from the seed.
    ///
    /// - Parameters:
    ///   - issuer: The app's name, which the authenticator app displays.
    ///   - accountName: The account's name, which the authenticator app displays; by default the address.
    /// - Returns: The seed.
    /// - Throws: ``AuthErrorCode/unverifiedEmail`` if the account has no verified address,
    ///   ``AuthErrorCode/maximumSecondFactorCountExceeded``, ``AuthErrorCode/requiresRecentLogin``,
    ///   ``AuthErrorCode/unsupportedFirstFactor`` or ``AuthErrorCode/tooManyRequests``.
    public func startTOTP(issuer: String, accountName: String? = nil) async throws(AuthError) -> TOTPEnrollment {
        let service = user.service
        try await service.countNewPassword(by: user.handle, "KeepSeed", user.context)
        let seed = service.environment.randomBytes(20)
        let key = OneTimeRecordID(bits: service.environment.randomBits())
        let sealed = try service.seal(seed, context: user.account.id.seedContext)
        _ = try await user.perform(KeepSeed(handle: user.handle, sealedSeed: sealed, key: key))
        return TOTPEnrollment(id: key, seed: seed, issuer: issuer, accountName: accountName ?? user.email ?? user.uid)
    }

    /// Enrolls the seed as a factor.
    ///
    /// ```swift
    /// let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
    /// try await user.multiFactor.enroll(enrollment, code: digits(enrollment.provisioningURI))
    /// ```
    ///
    /// A server that gets the code in another request uses ``enroll(totpEnrollmentID:code:displayName:)``.
    ///
    /// - Parameters:
    ///   - enrollment: The seed.
    ///   - code: The code that the authenticator app displays.
    ///   - displayName: A name by which its owner recognizes the factor.
    /// - Throws: As ``startTOTP(issuer:accountName:)`` where the account or the login has changed since,
    ///   ``AuthErrorCode/invalidVerificationCode``, ``AuthErrorCode/invalidMultiFactorSession`` if the seed has
    ///   expired, ``AuthErrorCode/sealedSecretUnreadable`` if its key is gone, ``AuthErrorCode/deviceMismatch`` on
    ///   another device than the one that made it, ``AuthErrorCode/textTooLong`` if the name is too long,
    ///   ``AuthErrorCode/lastMethod`` if nothing could sign in beside the factor, or ``AuthErrorCode/mergeInProgress``
    ///   while a merge locks the account.
    public func enroll(_ enrollment: TOTPEnrollment, code: String, displayName: String? = nil) async throws(AuthError) {
        try await enroll(totpEnrollmentID: enrollment.id, code: code, displayName: displayName)
    }

    /// Enrolls the seed of an enrollment as a factor, in another request than the one that began it.
    ///
    /// - Parameters:
    ///   - id: The ``TOTPEnrollment/id`` of the enrollment; it tells nothing of the seed.
    ///   - code: The code that the authenticator app displays.
    ///   - displayName: A name by which its owner recognizes the factor.
    /// - Throws: As ``enroll(_:code:displayName:)``.
    public func enroll(totpEnrollmentID id: String, code: String, displayName: String? = nil) async throws(AuthError) {
        let service = user.service
        try await enroll(named: displayName) { () async throws(AuthError) in
            guard let key = OneTimeRecordID(id), let record = try await service.record(key),
                record.account == user.account.id, case .totpSeed(let sealed) = record.content
            else { throw AuthError(Refusal.challengeOver) }
            guard let step = try service.matchingStep(Secret(code), sealed, user.account.id, after: nil) else {
                throw AuthError(.invalidVerificationCode, reasons: [.codeIsWrong])
            }
            let seed = service.resealed(sealed, of: user.account.id) ?? sealed
            return EnrollFactor.NewFactor(kind: .totp(sealedSeed: seed, lastUsedStep: step), record: key)
        }
    }

    /// Verifies a new factor, and enrolls it; a failure is recorded as a refusal.
    private func enroll(
        named name: String?,
        _ verify: () async throws(AuthError) -> EnrollFactor.NewFactor
    ) async throws(AuthError) {
        let operation = "EnrollFactor"
        try user.checkBounds(of: [name], in: operation)
        let account = user.handle.account
        let factor = try await user.service.audited(operation, user.context, account: account, verify)
        try await user.act(EnrollFactor(handle: user.handle, factor: factor, displayName: name))
    }

    /// Removes a factor.
    ///
    /// - Parameter factor: The factor.
    /// - Throws: ``AuthErrorCode/multiFactorInfoNotFound``, ``AuthErrorCode/requiresRecentLogin``, or
    ///   ``AuthErrorCode/mergeInProgress`` while a merge locks the account.
    public func unenroll(_ factor: SecondFactor.ID) async throws(AuthError) {
        try await user.act(ChangeFactors(handle: user.handle, change: .remove(factor)))
    }

    /// Changes a factor's display name.
    ///
    /// - Parameters:
    ///   - factor: The factor.
    ///   - name: The name by which its owner recognizes it; nil for none.
    /// - Throws: ``AuthErrorCode/textTooLong`` if the name is too long, or an error of ``unenroll(_:)``.
    public func rename(_ factor: SecondFactor.ID, to name: String?) async throws(AuthError) {
        try user.checkBounds(of: [name], in: "ChangeFactors")
        try await user.act(ChangeFactors(handle: user.handle, change: .rename(factor, name)))
    }

    /// Cancels a recovery from lost factors that an attacker may have begun; the session must have presented a factor.
    ///
    /// If no recovery waits, nothing happens.
    ///
    /// - Throws: ``AuthErrorCode/requiresRecentLogin`` if the session has not presented a factor, or an error of
    ///   ``User/reload()`` if the session is over.
    public func cancelRecovery() async throws(AuthError) {
        try await user.act(CancelFactorRecovery(handle: user.handle))
    }

    /// Makes new recovery codes, each of which replaces a lost factor once; older codes stop working.
    ///
    /// ```swift
    /// let codes = try await user.multiFactor.makeRecoveryCodes()
    /// await show(codes)
    /// ```
    ///
    /// - Parameter count: How many, at most 32.
    /// - Returns: The codes, which cannot be read again.
    /// - Throws: ``AuthErrorCode/multiFactorInfoNotFound`` if the account has no factor,
    ///   ``AuthErrorCode/requiresRecentLogin`` or ``AuthErrorCode/tooManyRequests``.
    public func makeRecoveryCodes(count: Int = 10) async throws(AuthError) -> [String] {
        let service = user.service
        try await service.countNewPassword(by: user.handle, "ChangeFactors", user.context)
        let codes = (0..<max(1, min(count, Account.recoveryCodeLimit))).map { _ in
            let text = Base32.encode(service.environment.randomBytes(10)).lowercased()
            return stride(from: 0, to: 16, by: 4)
                .map { String(text.dropFirst($0).prefix(4)) }
                .joined(separator: "-")
        }
        let kept = codes.map { SecondFactor.RecoveryCode(hash: service.hash(ofRecoveryCode: $0, of: user.account.id)) }
        try await user.act(ChangeFactors(handle: user.handle, change: .setRecoveryCodes(kept)))
        return codes
    }
}

extension User {
    /// The user's second factors.
    public var multiFactor: MultiFactor { MultiFactor(user: self) }
}

extension MultiFactor {
    /// A seed to be enrolled with an authenticator app.
    public struct TOTPEnrollment: Sendable, Hashable, Concealing {
        /// What names the enrollment in a later request.
        public let id: String
        /// The seed to be typed by hand; display it to the person only.
        public let sharedSecret: String
        /// The address that an authenticator app reads, usually from a picture of it; it contains the seed.
        public let provisioningURI: String

        init(id: OneTimeRecordID, seed: [UInt8], issuer: String, accountName: String) {
            self.id = id.text
            sharedSecret = Base32.encode(seed)
            provisioningURI = TimeBasedCode().provisioningAddress(
                secret: sharedSecret,
                issuer: issuer,
                accountName: accountName
            )
        }

        /// The type's name, without the seed.
        public var description: String { "MultiFactor.TOTPEnrollment" }
    }
}
