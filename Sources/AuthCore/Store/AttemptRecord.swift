extension Store {
    /// What a store keeps for one key, and how attempts change it.
    public struct AttemptRecord: Sendable, Hashable, Codable {
        /// The number of attempts that failed; under an allowance with waits, older ones count less.
        public private(set) var failures: Double = 0
        /// When each attempt was taken that has neither failed nor succeeded yet.
        public private(set) var flights: [Timestamp] = []
        /// Under an allowance for a window, the failures that still count, the oldest first.
        public private(set) var steps: [Step] = []
        /// When the last attempt failed; nil for never.
        public private(set) var failedAt: Timestamp?

        /// Creates the record of a key that was never used.
        public init() {}

        /// The number of attempts that have neither failed nor succeeded yet.
        public var inFlight: Int { flights.count }

        /// Failures that lie close together, and stop counting together.
        ///
        /// A quarter of a window is one step, so that a record has a few numbers and not one time for each attempt.
        public struct Step: Sendable, Hashable, Codable {
            /// The number of failures.
            public private(set) var failures: Double
            /// When the first attempt of the step failed.
            public let first: Timestamp
            /// When the last attempt of the step failed; all of them count until a window after it.
            public private(set) var last: Timestamp
        }

        /// Attempts in flight for longer than this have failed: their process is gone.
        static let longestFlight = Duration.seconds(60)
        /// By how much the clocks of servers over one store may differ.
        static let longestSkew = Duration.seconds(60)
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
            return failed < Double(max(1, most)) ? .inFlight : .refused(until: record.roomAgain(most, window))
        case .consecutive(let most, let pause):
            if all < Double(max(1, most)) { return .taken }
            if failed < Double(max(1, most)) { return .inFlight }
            return .refused(until: pause.flatMap { pause in record.failedAt.map { $0 + pause } })
        }
    }

    /// Counts an attempt, whether or not it is allowed.
    public mutating func take(_ take: Store.Take, at now: Timestamp) {
        self = current(take.allowance, at: now)
        if take.isSettled { fail(take.allowance, at: now) } else { flights.append(now) }
    }

    /// Records that an attempt in flight has failed: the one that was taken at this time, or else the oldest.
    ///
    /// One that was in flight for too long was counted before.
    public mutating func keep(_ allowance: Store.Allowance, takenAt: Timestamp? = nil, at now: Timestamp) {
        self = current(allowance, at: now)
        if end(takenAt) { fail(allowance, at: now) }
    }

    /// Gives an attempt in flight back: the one that was taken at this time, or else the oldest.
    public mutating func refund(takenAt: Timestamp? = nil) { _ = end(takenAt) }

    /// Forgets the failures; attempts in flight stay counted.
    public mutating func clear() { (failures, failedAt, steps) = (0, nil, []) }

    /// Returns whether the record is the same as none, now and later, so that a store may remove it.
    public func isEmpty(_ allowance: Store.Allowance, at now: Timestamp) -> Bool {
        let record = current(allowance, at: now)
        return record.inFlight == 0 && record.failures(allowance, at: now) < 1 / 64
    }

    /// How much is lost where the record gives way to another one.
    var weight: Double { failures + Double(inFlight) }

    /// Takes over what another record counts, so that this one allows no more than either.
    public mutating func raise(to other: Store.AttemptRecord) {
        failures = max(weight, other.weight)
        failedAt = ([failedAt, other.failedAt].compactMap(\.self) + flights + other.flights).max()
        flights = []
        steps = failedAt.map { [Step(failures: failures, first: $0, last: $0)] } ?? []
    }

    /// Ends a flight; returns whether there was one.
    private mutating func end(_ takenAt: Timestamp?) -> Bool {
        let index = takenAt.map { flights.firstIndex(of: $0) } ?? flights.indices.first
        return index.map { flights.remove(at: $0) } != nil
    }

    private mutating func fail(_ allowance: Store.Allowance, at time: Timestamp) {
        failures = failures(allowance, at: time) + 1
        failedAt = max(failedAt ?? time, time)
        if case .number(_, let window) = allowance { note(at: time, window) }
    }

    private mutating func note(at time: Timestamp, _ window: Duration) {
        if let last = steps.indices.last, time - steps[last].first < window / 4 {
            let step = steps[last]
            steps[last] = Step(failures: step.failures + 1, first: step.first, last: max(step.last, time))
        } else {
            steps.append(Step(failures: 1, first: time, last: time))
        }
    }

    /// When the oldest steps have stopped counting that leave no room.
    private func roomAgain(_ most: Int, _ window: Duration) -> Timestamp? {
        var left = failures
        return steps.first { step in
            left -= step.failures
            return left < Double(max(1, most))
        }.map { $0.last + window }
    }

    /// The number of failures as it counts now.
    private func failures(_ allowance: Store.Allowance, at now: Timestamp) -> Double {
        guard case .waits(_, _, _, let halving) = allowance, let failedAt else { return failures }
        return failures * Self.wear(since: failedAt, now, halving: halving)
    }

    /// The record as it is now: what is older than a window is forgotten, and what was in flight for too long has
    /// failed.
    private func current(_ allowance: Store.Allowance, at now: Timestamp) -> Store.AttemptRecord {
        var record = self
        // What a clock wrote that was ahead is over: otherwise a person would wait until the time that it showed.
        let latest = now + Self.longestSkew
        if let failedAt, failedAt > latest { record.failedAt = nil }
        for flight in record.flights where now - flight > Self.longestFlight { record.fail(allowance, at: flight) }
        record.flights.removeAll { $0 > latest || now - $0 > Self.longestFlight }
        switch allowance {
        case .waits: break
        case .number(_, let window):
            record.steps.removeAll { now - $0.last >= window || $0.last > latest }
            record.failures = record.steps.reduce(0) { $0 + $1.failures }
        case .consecutive(let most, let pause):
            if let pause, record.failures >= Double(max(1, most)), record.failedAt.map({ now - $0 >= pause }) ?? true {
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
