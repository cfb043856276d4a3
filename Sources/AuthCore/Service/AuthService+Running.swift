extension AuthService {
    /// Does the work that no caller waits for, until the task is canceled.
    ///
    /// Every second it publishes events that other processes committed, and sends messages that are due. Every minute it
    /// resumes merges that stopped, and sweeps. A server runs it once in each process, beside its requests:
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
    ///   - interval: How long it waits between two rounds, ten milliseconds at least. After failures it waits up to a minute.
    ///   - report: Called with each failure, such as a store that does not answer; the work goes on.
    /// - Throws: `missingSecretKey` at once, if the store is durable and the service has no secret key.
    public func run(
        every interval: Duration = .seconds(1),
        reportingTo report: @Sendable (AuthError) -> Void = { _ in }
    ) async throws(AuthError) {
        try requireSecretKey()
        let interval = max(interval, Upkeep.shortestInterval)
        var (cleanUpAt, failures) = (environment.now, 0)
        while !Task.isCancelled {
            let now = environment.now
            // A clock that was set back is not waited for.
            let isCleaning = now >= cleanUpAt || cleanUpAt - now > Upkeep.cleanUpInterval
            if isCleaning { cleanUpAt = now + Upkeep.cleanUpInterval }
            // One job that fails does not keep the others from being done.
            var hasFailed = false
            for job in Upkeep.allCases where isCleaning || !job.isCleanUp {
                do {
                    try await perform(job)
                } catch {
                    if Task.isCancelled { return }
                    hasFailed = true
                    report(error)
                }
            }
            failures = hasFailed ? min(failures + 1, 6) : 0
            // An interval that is long already is not multiplied: the product might be too long for a duration.
            let wait =
                interval >= Upkeep.cleanUpInterval
                ? interval : min(interval * (1 << failures), Upkeep.cleanUpInterval)
            do { try await environment.sleep(for: wait) } catch { return }
        }
    }

    private func perform(_ job: Upkeep) async throws(AuthError) {
        switch job {
        case .events: try await drainEvents()
        case .messages: while try await deliverPendingMessages(limit: Upkeep.batch) == Upkeep.batch {}
        case .merges: try await resumeMerges(olderThan: Upkeep.mergeAge)
        case .sweep: while try await !sweep().isComplete {}
        }
    }
}

/// The jobs of a running service, in the order in which a round does them.
private enum Upkeep: CaseIterable {
    case events
    case messages
    case merges
    case sweep

    var isCleanUp: Bool { self == .merges || self == .sweep }

    /// No time at all would stay none after any number of failures.
    static let shortestInterval = Duration.milliseconds(10)
    static let cleanUpInterval = Duration.seconds(60)
    /// A merge that began later is probably being carried out by the process that began it.
    static let mergeAge = Duration.seconds(60)
    static let batch = 100
}
