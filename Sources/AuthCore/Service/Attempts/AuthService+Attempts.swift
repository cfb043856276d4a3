import AuthCoreCrypto

extension AuthService {
    /// Compares something that can be guessed, after counting the attempt under every key.
    ///
    /// A success gives back exactly what was taken, and clears some keys. Everything else stays counted: a wrong
    /// answer, and also a failure or a cancellation, which would otherwise make guessing free; but not an error of the
    /// code that is free. If a success cannot be given back, a guess fails with the store's error, and anything else
    /// succeeds.
    package func counting<Answer>(
        _ takes: [Store.Take],
        clearing keys: [Store.AttemptKey] = [],
        isGuess: Bool = true,
        freeOf code: AuthErrorCode? = nil,
        _ compare: () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let taken = try await take(takes)
        return try await settling(taken, clearing: keys, isGuess: isGuess, freeOf: { $0.code == code }, compare)
    }

    /// Compares something after the attempt was taken, and then gives it back or keeps it, as `counting` says.
    func settling<Answer>(
        _ takes: [Store.Take],
        clearing keys: [Store.AttemptKey] = [],
        isGuess: Bool,
        freeOf isFree: (AuthError) -> Bool,
        _ compare: () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let answer: Answer
        do throws(AuthError) {
            answer = try await compare()
        } catch {
            if isFree(error) { try? await refund(takes) } else { await keep(takes) }
            throw error
        }
        do throws(AuthError) { try await refund(takes, clearing: keys) } catch { if isGuess { throw error } }
        return answer
    }

    /// Counts an attempt under every key, and returns what was taken; throws if it is not allowed.
    func take(_ takes: [Store.Take]) async throws(AuthError) -> [Store.Take] {
        switch try await attempt(takes) {
        case .success(let taken): return taken
        case .failure(let refusal): throw AuthError(refusal)
        }
    }

    /// Counts an attempt under every key, and returns what was taken, or the refusal if it is not allowed.
    ///
    /// Where only attempts in flight stand in the way, it waits up to two seconds for them: several requests of one
    /// person do not fail because they come at once.
    func attempt(_ takes: [Store.Take]) async throws(AuthError) -> Result<[Store.Take], Refusal> {
        if takes.isEmpty { return .success([]) }
        var (waited, pause) = (Duration.zero, Duration.milliseconds(10))
        do {
            while true {
                let now = environment.now
                switch try await configuration.attempts.take(takes, at: now) {
                case .taken:
                    return .success(
                        takes.map { Store.Take($0.key, $0.allowance, isSettled: $0.isSettled, takenAt: now) }
                    )
                case .refused(let until):
                    // What has its own count, such as a code, is over by the time at which its count is.
                    let isOver = takes.contains { $0.key.purpose == .code }
                    return .failure(.attemptsMustWait(until: isOver ? nil : until))
                case .inFlight:
                    if waited >= .seconds(2) { return .failure(.attemptsMustWait(until: nil)) }
                    pause = min(pause, .seconds(2) - waited)
                    try await environment.sleep(for: pause)
                    (waited, pause) = (waited + pause, pause * 2)
                }
            }
        } catch { throw AuthError(storeFailure: error) }
    }

    /// Records that an attempt failed; if the store fails, the attempt stays in flight, and counts as well.
    ///
    /// If the store refuses a canceled caller, it is asked again in a task of its own: on a key that is always used,
    /// what stays in flight would count without an end.
    func keep(_ takes: [Store.Take]) async {
        if takes.isEmpty { return }
        let (attempts, now) = (configuration.attempts, environment.now)
        try? await evenIfCanceled { try await attempts.keep(takes, at: now) }
    }

    /// Gives back an attempt that succeeded, and clears keys.
    func refund(_ takes: [Store.Take], clearing keys: [AttemptKey] = []) async throws(AuthError) {
        if takes.isEmpty, keys.isEmpty { return }
        let (attempts, now) = (configuration.attempts, environment.now)
        do {
            try await evenIfCanceled { try await attempts.refund(takes, clearing: keys, at: now) }
        } catch { throw AuthError(storeFailure: error) }
    }

    /// Counts at once what cannot be given back, such as a message, or refuses it.
    func count(_ takes: [Store.Take?], of operation: String, _ context: RequestContext, recipient: String? = nil)
        async throws(AuthError)
    {
        // What is refused before it is done does not count.
        try checkBounds(in: operation, context)
        let settled = takes.compactMap(\.self).map { Store.Take($0.key, $0.allowance, isSettled: true) }
        if case .failure(let refusal) = try await attempt(settled) {
            throw audit(AuthError(refusal), of: operation, context, recipient: recipient)
        }
    }

    /// Returns a key whose hash discloses nothing without the service's secret.
    func key(_ purpose: AttemptKey.Purpose, _ parts: String...) -> AttemptKey {
        AttemptKey(purpose: purpose, hash: keyedHash(parts))
    }

    /// Returns a hash of the parts that discloses nothing without the service's secret.
    func keyedHash(_ parts: [String]) -> UInt64 {
        let digest = attemptKey.authenticate(Array(parts.joined(separator: "\u{0}").utf8))
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the attempt that counts by the origin of a request, of which `most` are allowed, and more if the origin
    /// is unknown; nil for a request that does not count.
    ///
    /// What a provider must be asked about counts apart.
    func originTake(
        _ purpose: AttemptKey.Purpose,
        _ context: RequestContext,
        at provider: ProviderID? = nil,
        most: Int,
        _ allowance: (_ most: Int) -> Store.Allowance
    ) -> Store.Take? {
        guard let limits = policy.limits, let origin = context.origin.counted else { return nil }
        // An empty address is none.
        if origin.isEmpty { warn(of: .originIsUnknown) }
        let factor = origin.isEmpty ? max(1, limits.unknownOriginFactor) : 1
        let subject = provider.map { "\(origin)\u{0}\($0)" } ?? origin
        return Store.Take(key(purpose, subject), allowance(factor.times(most)))
    }
}
