/// A person's second factors.
public struct MultiFactor: Sendable {
    private let user: User

    init(user: User) { self.user = user }

    /// The factors that are enrolled, as the handle last saw them.
    public var enrolledFactors: [SecondFactorChallenge.Hint] {
        user.account.factors.map(SecondFactorChallenge.Hint.init)
    }

    /// How many recovery codes are left.
    public var recoveryCodesLeft: Int { user.account.recoveryCodes.count }

    /// Sends digits to a number that is to become a factor; the id that comes back goes into `enroll`.
    public func sendCode(to phoneNumber: String) async throws(AuthError) -> String {
        let service = user.service
        let number = try service.parse(phoneNumber: phoneNumber)
        try await service.countMessage(to: number.text, user.context)
        let request = RequestEnrolmentCode(handle: user.handle, number: number, code: service.issueDigits())
        return try await user.perform(request).text
    }

    /// Makes the number a factor, by the digits that arrived there.
    public func enroll(
        phoneVerificationID verificationID: String,
        code: String,
        displayName: String? = nil
    ) async throws(AuthError) {
        try user.checkBounds(of: [displayName], in: "EnrollFactor")
        let factor = try await audited { () async throws(AuthError) in
            let (key, sent) = try await user.service.phoneCode(verificationID: verificationID, code: Secret(code))
            guard sent.use == .enrolment(user.account.id) else {
                throw AuthError(.invalidVerificationID, reasons: [.codeIsForSomethingElse])
            }
            return .phone(sent.number, key)
        }
        _ = try await user.act(EnrollFactor(handle: user.handle, factor: factor, displayName: displayName))
    }

    /// Draws a seed for an authenticator app; the factor exists once a code made from it comes back.
    public func startTOTP(issuer: String, accountName: String? = nil) async throws(AuthError) -> TOTPEnrollment {
        let service = user.service
        let seed = service.environment.randomBytes(20)
        let key = CapabilityKey(bits: service.environment.randomBits())
        let sealed: [UInt8]
        do {
            sealed = try service.sealer.seal(seed, context: "totp " + user.uid)
        } catch {
            throw AuthError(.internalError, cause: error)
        }
        _ = try await user.perform(KeepSeed(handle: user.handle, sealedSeed: sealed, key: key))
        return TOTPEnrollment(
            id: key,
            seed: seed,
            issuer: issuer,
            accountName: accountName ?? user.email ?? user.uid
        )
    }

    /// Makes the seed a factor, by a code that the authenticator app shows.
    public func enroll(
        _ enrollment: TOTPEnrollment,
        code: String,
        displayName: String? = nil
    ) async throws(AuthError) {
        try user.checkBounds(of: [displayName], in: "EnrollFactor")
        let service = user.service
        let factor = try await audited { () async throws(AuthError) in
            let capability = try await service.capability(enrollment.id)
            guard let capability, capability.account == user.account.id, case .totpSeed(let sealed) = capability.content
            else {
                throw AuthError(.invalidMultiFactorSession, reasons: [.challengeIsOver])
            }
            guard let step = try service.matchingStep(Secret(code), sealed, user.account.id, after: nil) else {
                throw AuthError(.invalidVerificationCode, reasons: [.codeIsWrong])
            }
            return .totp(sealedSeed: sealed, step: step, enrollment.id)
        }
        _ = try await user.act(EnrollFactor(handle: user.handle, factor: factor, displayName: displayName))
    }

    /// Checks what was shown of a new factor; what is wrong with it is recorded as a refusal.
    private func audited(
        _ check: () async throws(AuthError) -> EnrollFactor.NewFactor
    ) async throws(AuthError) -> EnrollFactor.NewFactor {
        try await user.service.audited("EnrollFactor", user.context, account: user.handle.account, check)
    }

    /// Removes a factor.
    public func unenroll(_ factor: FactorID) async throws(AuthError) {
        _ = try await user.act(ChangeFactors(handle: user.handle, change: .remove(factor)))
    }

    /// Gives a factor another name.
    public func rename(_ factor: FactorID, to name: String?) async throws(AuthError) {
        try user.checkBounds(of: [name], in: "ChangeFactors")
        _ = try await user.act(ChangeFactors(handle: user.handle, change: .rename(factor, name)))
    }

    /// Ends the waiting of somebody who says that the factors were lost; the session must have shown one.
    public func objectToRecovery() async throws(AuthError) {
        _ = try await user.act(ObjectToFactorRecovery(handle: user.handle))
    }

    /// Makes new codes for the day all factors are lost; older ones stop working, and these are never shown again.
    public func makeRecoveryCodes(count: Int = 10) async throws(AuthError) -> [String] {
        let service = user.service
        let codes = (0..<max(1, min(count, 32))).map { _ in
            let text = Base32.encode(service.environment.randomBytes(10)).lowercased()
            return stride(from: 0, to: 16, by: 4)
                .map { String(text.dropFirst($0).prefix(4)) }
                .joined(separator: "-")
        }
        let kept = codes.map { RecoveryCode(hash: service.hash(ofRecoveryCode: $0, of: user.account.id)) }
        _ = try await user.act(ChangeFactors(handle: user.handle, change: .setRecoveryCodes(kept)))
        return codes
    }
}

extension User {
    /// The person's second factors.
    public var multiFactor: MultiFactor { MultiFactor(user: self) }
}

/// A seed on its way into an authenticator app.
public struct TOTPEnrollment: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let id: CapabilityKey
    private let seed: Secret
    /// The address that an authenticator app reads, usually from a picture of it; it contains the seed.
    public let provisioningURI: String

    init(id: CapabilityKey, seed: [UInt8], issuer: String, accountName: String) {
        self.id = id
        self.seed = Secret(Base32.encode(seed))
        provisioningURI = TimeBasedCode().provisioningAddress(secret: seed, issuer: issuer, accountName: accountName)
    }

    /// The seed for typing by hand; show it to the person only.
    public var sharedSecret: String { seed.revealed }

    /// Nothing of the seed.
    public var description: String { "TOTPEnrollment" }

    /// Nothing of the seed.
    public var debugDescription: String { description }

    /// A mirror with nothing in it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
