internal import AuthCore
internal import AuthCoreFoundation
internal import Synchronization

/// A document of a provider: fetched when it is needed, once for all who wait, and kept as long as its headers say.
///
/// If the provider cannot be reached, the last copy serves for a stated time after its end.
final class CachedDocument<Value: Sendable>: Sendable {
    /// What was fetched, and when.
    struct Copy: Sendable {
        let value: Value
        /// Grows with every fetch.
        let generation: Int
        let fetchedAt: Date
        let freshUntil: Date
    }

    private struct State {
        var copy: Copy?
        /// When the provider gave nothing that serves: the next sign-ins do not ask it again at once.
        var failedAt: Date?
        /// When a document was last asked for before its time.
        var renewedAt: Date?
        /// Whether such a request was allowed and has no answer yet: its fetch may not have begun.
        var isRenewing = false
        /// Why the last fetch failed; nil if it did not.
        var failure: VerificationFailure?
    }

    private let state = Mutex(State())
    private let work = SharedWork<Copy>()
    private let fetch: @Sendable () async throws -> (value: Value, lifetime: Double?)

    /// What a document without a lifetime gets, and the bounds for the lifetime that a provider chooses, in seconds.
    private static var usualLifetime: Double { 3600 }
    private static var lifetimes: ClosedRange<Double> { 300...86400 }
    static var longestLifetime: Duration { .seconds(lifetimes.upperBound) }
    /// The time between two attempts that something other than the end of the lifetime caused.
    private static var pause: Double { 60 }
    /// The time between two attempts after a failure, where there is no copy that serves meanwhile.
    private static var shortPause: Double { 5 }

    init(fetch: @escaping @Sendable () async throws -> (value: Value, lifetime: Double?)) {
        self.fetch = fetch
    }

    /// Returns the document; an old one only within `outage` of its end, if the provider cannot be reached.
    func copy(at now: Date, outage: Duration) async throws -> Copy {
        let (copy, failedAt, failure) = state.withLock { ($0.copy, $0.failedAt, $0.failure) }
        let usable = usableCopy(at: now, outage: outage)
        if let usable, now < usable.freshUntil { return usable }
        if let usable, let failedAt, Self.isWithinPause(now, failedAt) { return usable }
        // Without a copy that serves, a request still asks the provider again soon, but not each of them.
        if usable == nil, let failure, let failedAt, abs(now.timeIntervalSince(failedAt)) < Self.shortPause {
            throw failure
        }
        do {
            return try await fetched(after: copy, at: now)
        } catch let error as VerificationFailure where usable == nil || error.kind == .unreachable {
            state.withLock { $0.failedAt = now }
            guard let usable else { throw error }
            return usable
        }
    }

    /// Whether the document was ever fetched.
    var hasCopy: Bool { state.withLock { $0.copy != nil } }

    /// Returns the last copy without asking the provider, if it is not older than `outage` after its end.
    func usableCopy(at now: Date, outage: Duration) -> Copy? {
        guard let copy = state.withLock({ $0.copy }) else { return nil }
        // A request that began a moment before the last fetch is no sign that the clock was set back.
        let isOfNow = copy.fetchedAt.timeIntervalSince(now) <= Self.pause
        return isOfNow && now.timeIntervalSince(copy.freshUntil) <= outage / .seconds(1) ? copy : nil
    }

    /// Returns a newer copy than this one, or nil if this was the newest within the last minute.
    ///
    /// Throws if the request within that minute failed: whether there is a newer one is unknown.
    func renewed(after copy: Copy, at now: Date) async throws -> Copy? {
        // The next request is allowed after a minute, so a caller that is canceled must not cancel this one for the
        // others.
        switch try renewal(after: copy, at: now) {
        case .refused: return nil
        case .done(let newer): return newer
        case .underWay: return try await fetched(after: copy, at: now, isKept: true)
        case .begins:
            defer { state.withLock { $0.isRenewing = false } }
            return try await fetched(after: copy, at: now, isKept: true)
        }
    }

    /// What a request for a newer copy meets.
    enum Renewal {
        /// The document was asked for within the last minute.
        case refused
        /// There is a newer copy.
        case done(Copy)
        /// Others wait for a newer copy, or are about to.
        case underWay
        /// The request itself fetches it; until it has an answer, no other one is refused.
        case begins
    }

    /// What a request for a newer copy than this one meets; throws if the one within the last minute failed.
    func renewal(after copy: Copy, at now: Date) throws -> Renewal {
        let isUnderWay = work.isUnderWay
        return try state.withLock { state throws -> Renewal in
            if let newer = state.copy, newer.generation > copy.generation { return .done(newer) }
            if isUnderWay || state.isRenewing { return .underWay }
            if let renewedAt = state.renewedAt, Self.isWithinPause(now, renewedAt) {
                if let failure = state.failure { throw failure }
                return .refused
            }
            state.renewedAt = now
            state.isRenewing = true
            return .begins
        }
    }

    /// Returns the copy that others fetched since the given one, or fetches one.
    private func fetched(after known: Copy?, at now: Date, isKept: Bool = false) async throws -> Copy {
        let generation = known?.generation ?? 0
        while true {
            let copy = try await work.result(isKept: isKept) { [self] in try await next(after: generation, at: now) }
            // The work that was under way may have been for others, who had an older copy.
            if copy.generation > generation { return copy }
        }
    }

    /// Fetches and keeps the copy of the next generation, unless there is a newer one.
    private func next(after generation: Int, at now: Date) async throws -> Copy {
        if let newer = state.withLock({ $0.copy }), newer.generation > generation { return newer }
        let (value, lifetime) = try await fetchedValue()
        let bounded = min(max(lifetime ?? Self.usualLifetime, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
        let copy = Copy(
            value: value,
            generation: generation + 1,
            fetchedAt: now,
            freshUntil: now.addingTimeInterval(bounded)
        )
        // Before the others are told: who comes after them must find it. A fetch that all have left may end late.
        state.withLock { state in
            if let newer = state.copy, newer.generation >= copy.generation { return }
            state.copy = copy
            state.failedAt = nil
            state.failure = nil
        }
        return copy
    }

    /// Fetches the document, and notes why it could not be.
    private func fetchedValue() async throws -> (value: Value, lifetime: Double?) {
        do {
            return try await fetch()
        } catch let failure as VerificationFailure {
            state.withLock { $0.failure = failure }
            throw failure
        }
    }

    private static func isWithinPause(_ now: Date, _ then: Date) -> Bool {
        abs(now.timeIntervalSince(then)) < pause
    }
}
