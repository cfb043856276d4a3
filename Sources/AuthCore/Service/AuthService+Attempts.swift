/// The keys under which the attempts of one request are counted.
struct AttemptKeys: Sendable {
    /// The keys, each with the number of free attempts.
    var limited: [(key: AttemptKey, free: Int)]
    /// The key that records a device that has signed in; nil if there is no device or no account.
    var deviceSignIns: AttemptKey?
}

extension AuthService {
    /// Returns the keys under which wrong passwords count.
    ///
    /// A device that has signed in before has a separate allowance, so that an attacker who guesses cannot lock its
    /// owner out.
    func passwordKeys(
        for email: EmailAddress,
        _ owner: Account?,
        _ limits: AuthPolicy.AttemptLimits,
        _ context: RequestContext
    ) async throws(AuthError) -> AttemptKeys {
        var keys = AttemptKeys(limited: [], deviceSignIns: nil)
        // If there is no account, the address is used instead of the id, so that the work is the same.
        let name = owner?.id.text ?? "no account\u{0}" + email.text
        if let device = context.device {
            let known = key(.deviceSignIns, name, device.text)
            if owner != nil { keys.deviceSignIns = known }
            if try await attempts([known]).first?.lastAt != nil, let owner {
                keys.limited = [(key(.knownDevice, owner.id.text, device.text), limits.freePasswords)]
                return keys
            }
        }
        keys.limited = [(key(.address, email.text), limits.freePasswords)]
        keys.limited.append((key(.account, name), limits.freePasswords))
        if let origin = context.origin { keys.limited.append((key(.origin, origin), limits.freeFromOrigin)) }
        return keys
    }

    /// Returns the keys under which wrong answers to an account's factors count.
    ///
    /// A device that has presented a factor before has a separate allowance, which an attacker does not get by knowing
    /// the password.
    func factorKeys(
        for account: Account,
        _ limits: AuthPolicy.AttemptLimits,
        _ context: RequestContext
    ) async throws(AuthError) -> AttemptKeys {
        let name = "factor\u{0}" + account.id.text
        var keys = AttemptKeys(limited: [(key(.account, name), limits.freeFactorAnswers)], deviceSignIns: nil)
        guard let device = context.device else { return keys }
        let known = key(.deviceSignIns, name, device.text)
        keys.deviceSignIns = known
        if try await attempts([known]).first?.lastAt != nil {
            keys.limited = [(key(.knownDevice, name, device.text), limits.freeFactorAnswers)]
        }
        return keys
    }

    /// Returns whether these keys allow another attempt.
    func status(
        of keys: [(key: AttemptKey, free: Int)],
        _ limits: AuthPolicy.AttemptLimits
    ) async throws(AuthError) -> AttemptStatus {
        let now = environment.now
        let records = try await attempts(keys.map(\.key))
        return AttemptStatus(zip(keys, records).map { limits.waiting($1, free: $0.free, at: now) })
    }

    /// Counts a wrong attempt.
    func countAttempt(_ keys: [AttemptKey]) async throws(AuthError) {
        do { try await configuration.attempts.count(keys, at: environment.now) } catch {
            throw AuthError(storeFailure: error)
        }
    }

    /// Forgets wrong attempts.
    func forgetAttempts(_ keys: [AttemptKey]) async throws(AuthError) {
        do { try await configuration.attempts.forget(keys) } catch { throw AuthError(storeFailure: error) }
    }

    private func attempts(_ keys: [AttemptKey]) async throws(AuthError) -> [AttemptRecord] {
        do { return try await configuration.attempts.records(for: keys) } catch { throw AuthError(storeFailure: error) }
    }

    /// Returns a key whose hash discloses nothing without the service's secret.
    func key(_ purpose: AttemptKey.Purpose, _ parts: String...) -> AttemptKey {
        let digest = attemptKey.authenticate(Array(parts.joined(separator: "\u{0}").utf8))
        return AttemptKey(purpose: purpose, hash: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Refuses answers to a code or challenge that has had too many wrong ones.
    func checkAnswers(to code: OneTimeRecordID) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let key = key(.code, code.text)
        if try await attempts([key]).contains(where: { $0.count >= Double(limits.wrongCodes) }) {
            throw AuthError(.tooManyRequests, reasons: [.attemptsMustWait])
        }
    }

    /// Counts a wrong answer to a code or challenge.
    func countWrongAnswer(to code: OneTimeRecordID) async throws(AuthError) {
        if policy.limits != nil { try await countAttempt([key(.code, code.text)]) }
    }

    /// Counts a message to a mailbox or number, or refuses it if there were too many.
    func countMessage(to recipient: String, _ context: RequestContext) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let key = key(.message, recipient)
        if case .waiting = try await status(of: [(key, limits.freeMessages)], limits) {
            let error = AuthError(.tooManyRequests, reasons: [.attemptsMustWait])
            audit(error, of: "SendMessage", context, recipient: recipient)
            throw error
        }
        try await countAttempt([key])
    }
}
