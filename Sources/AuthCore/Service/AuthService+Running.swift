extension AuthService {
    /// Does the work that no caller waits for, until the task is canceled.
    ///
    /// Every second it publishes events that other processes committed, and sends messages that are due. Every minute
    /// it resumes merges that stopped, and sweeps. None of these waits for another. A server runs it once in each
    /// process, beside its requests:
    ///
    /// ```swift
    /// func serve(_ service: AuthService, _ requests: @Sendable @escaping () async -> Void) async throws {
    ///     try await withThrowingTaskGroup { group in
    ///         group.addTask { try await service.run { failure in print("upkeep:", failure) } }
    ///         group.addTask { await requests() }
    ///         try await group.next()
    ///         group.cancelAll()
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: How long it waits before it looks for events and messages again, ten milliseconds at least and 366
    ///     days at most; for merges and sweeps, a minute at least. After failures it waits up to a minute.
    ///   - report: Called with each failure, such as a store that does not answer; the work goes on. That a stream of
    ///     events could not read the log is reported at the next look, and so once more after the store is there again.
    /// - Throws: `missingSecretKey` at once, if the store is durable and the service has no secret key; `internalError`
    ///   if the environment cannot wait.
    public func run(
        every interval: Duration = .seconds(1),
        reportingTo report: @Sendable (AuthError) -> Void = { _ in }
    ) async throws(AuthError) {
        try requireSecretKey()
        let interval = min(max(interval, Upkeep.shortestInterval), Upkeep.longestInterval)
        do {
            try await withThrowingTaskGroup(of: (Upkeep, AuthError?).self) { group in
                // Each job has a task of its own: one that fails or takes long does not keep the others from it.
                for job in Upkeep.allCases { _ = group.addTaskUnlessCancelled { (job, await self.failure(of: job)) } }
                var failures: [Upkeep: Int] = [:]
                while let (job, failure) = try await group.next(), !Task.isCancelled {
                    if let failure { report(failure) }
                    let count = failure == nil ? 0 : min(failures[job, default: 0] + 1, 6)
                    failures[job] = count
                    let wait = job.wait(every: interval, after: count)
                    group.addTask { [environment] in
                        try await environment.sleep(for: wait)
                        return (job, await self.failure(of: job))
                    }
                }
            }
        } catch {
            // A wait throws when the task is canceled, and that ends the group.
            if !Task.isCancelled, !(error is CancellationError) { throw AuthError(failure: error, .internalError) }
        }
    }

    /// Does a job and returns why it failed.
    private func failure(of job: Upkeep) async -> AuthError? {
        do { try await perform(job) } catch { return error }
        return nil
    }

    private func perform(_ job: Upkeep) async throws(AuthError) {
        switch job {
        case .events: try await publishEvents()
        case .messages: try await deliverPendingMessages(limit: .max)
        case .merges: try await resumeMerges(olderThan: Upkeep.mergeAge)
        case .sweep:
            // What another process holds is left for the next time.
            while case let report = try await sweep(), !report.isComplete, !report.isEmpty {}
        }
    }
}

/// The jobs of a running service.
private enum Upkeep: CaseIterable {
    case events
    case messages
    case merges
    case sweep

    /// The wait before the job is done again, after this many failures in a row.
    func wait(every interval: Duration, after failures: Int) -> Duration {
        // An interval that is long already is not multiplied: the product might be too long for a duration.
        if self == .merges || self == .sweep || interval >= Self.longestWait { return max(interval, Self.longestWait) }
        return min(interval * (1 << failures), Self.longestWait)
    }

    /// Zero would stay zero when it is doubled after failures.
    static let shortestInterval = Duration.milliseconds(10)
    static let longestWait = Duration.seconds(60)
    /// The system's wait ends the process if its end has more seconds than 64 bits hold.
    static let longestInterval = Duration.days(366)
    /// A merge that began later is probably being carried out by the process that began it.
    static let mergeAge = Duration.seconds(60)
}
