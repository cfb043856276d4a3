extension Store {
    /// What a store keeps for one key, and how attempts change it.
    public struct AttemptRecord: Sendable, Hashable, Codable {
        /// The number of attempts that failed; under an allowance with waits, older ones count less.
        public private(set) var failures: Double = 0
        /// The number of attempts that have neither failed nor succeeded yet.
        public private(set) var inFlight = 0
        /// When the window began; nil for no window.
        public private(set) var since: Timestamp?
        /// When the last attempt failed; nil for never.
        public private(set) var failedAt: Timestamp?
        /// When the last attempt was taken; nil for never.
        public private(set) var takenAt: Timestamp?

        /// Creates the record of a key that was never used.
        public init() {}

        /// Attempts in flight for longer than this have failed: their process is gone, or they were canceled.
        static let longestFlight = Duration.seconds(60)
    }
}

extension AttemptRecord {
    /// Whether an attempt is allowed now.
    public func answer(_ allowance: Store.Allowance, at now: Timestamp) -> Store.TakeAnswer {
        let record = current(allowance, at: now)
        let failed = record.failures(allowance, at: now).rounded()
        let all = failed + Double(record.inFlight)
        switch allowance {
        case .waits(let free, let first, let longest, _):
            if all < Double(free) { return .taken }
            // The wait is what it was when the last attempt failed, however the count wears away meanwhile.
            let excess = record.failures.rounded() - Double(free)
            if excess >= 0, let failedAt = record.failedAt {
                let until = failedAt + first.doubled(Int(min(excess, 40)), atMost: longest)
                if now < until { return .refused(until: until) }
            }
            // After each wait, one attempt at a time.
            return record.inFlight == 0 ? .taken : .inFlight
        case .number(let most, let window):
            if all < Double(max(1, most)) { return .taken }
            return failed < Double(max(1, most)) ? .inFlight : .refused(until: record.since.map { $0 + window })
        case .consecutive(let most, let pause):
            if all < Double(max(1, most)) { return .taken }
            if failed < Double(max(1, most)) { return .inFlight }
            return .refused(until: pause.flatMap { pause in record.failedAt.map { $0 + pause } })
        }
    }

    /// Counts an attempt, whether or not it is allowed.
    public mutating func take(_ take: Store.Take, at now: Timestamp) {
        self = current(take.allowance, at: now)
        since = since ?? now
        takenAt = now
        if take.isSettled { fail(1, take.allowance, at: now) } else { inFlight += 1 }
    }

    /// Records that an attempt in flight has failed; one that was in flight for too long was counted before.
    public mutating func keep(_ allowance: Store.Allowance, at now: Timestamp) {
        self = current(allowance, at: now)
        guard inFlight > 0 else { return }
        inFlight -= 1
        since = since ?? now
        fail(1, allowance, at: now)
    }

    /// Gives an attempt in flight back.
    public mutating func refund() { inFlight = max(0, inFlight - 1) }

    /// Forgets the failures; attempts in flight stay counted.
    public mutating func clear() {
        (failures, failedAt) = (0, nil)
        if inFlight == 0 { since = nil }
    }

    /// Returns whether the record is the same as none, now.
    public func isEmpty(_ allowance: Store.Allowance, at now: Timestamp) -> Bool {
        let record = current(allowance, at: now)
        return record.inFlight == 0 && record.failures(allowance, at: now) < 1 / 64
    }

    /// Takes over what another record counts, so that this one allows no more than either.
    public mutating func raise(to other: Store.AttemptRecord) {
        failures = max(failures + Double(inFlight), other.failures + Double(other.inFlight))
        inFlight = 0
        since = [since, other.since].compactMap(\.self).max()
        takenAt = [takenAt, other.takenAt].compactMap(\.self).max()
        failedAt = [failedAt, other.failedAt, takenAt].compactMap(\.self).max()
    }

    private mutating func fail(_ number: Int, _ allowance: Store.Allowance, at time: Timestamp) {
        failures = failures(allowance, at: time) + Double(number)
        failedAt = time
    }

    /// The number of failures as it counts now.
    private func failures(_ allowance: Store.Allowance, at now: Timestamp) -> Double {
        guard case .waits(_, _, _, let halving) = allowance, let failedAt else { return failures }
        return failures * Self.wear(since: failedAt, now, halving: halving)
    }

    /// The record as it is now: a window that is over is forgotten, and what was in flight for too long has failed.
    private func current(_ allowance: Store.Allowance, at now: Timestamp) -> Store.AttemptRecord {
        var record = self
        if inFlight > 0, let takenAt, now - takenAt > Self.longestFlight {
            record.fail(inFlight, allowance, at: takenAt)
            record.inFlight = 0
        }
        switch allowance {
        case .waits: break
        case .number(_, let window):
            if let since, now - since >= window { (record.failures, record.since) = (0, nil) }
        case .consecutive(let most, let pause):
            if let pause, record.failures >= Double(max(1, most)), let last = record.failedAt, now - last >= pause {
                record.failures = 0
            }
        }
        return record
    }

    /// What is left of a count after a time; all of it where the halving time is no time at all.
    static func wear(since last: Timestamp, _ now: Timestamp, halving: Duration) -> Double {
        guard halving > .zero else { return 1 }
        let halves = max(.zero, now - last) / halving
        // Halving by whole and broken steps without an exponential function: good enough for a count, and the same
        // everywhere.
        let whole = min(64, halves.rounded(.down))
        let rest = 1 - (min(halves, 64) - whole) / 2
        return rest / Double(UInt64(1) << UInt64(min(63, whole)))
    }
}

extension Duration {
    /// The duration, doubled so many times, and no longer than the other one.
    fileprivate func doubled(_ times: Int, atMost longest: Duration) -> Duration {
        var result = self
        for _ in 0..<max(0, times) {
            guard result < longest / 2 else { return longest }
            result = result * 2
        }
        return min(result, longest)
    }
}
