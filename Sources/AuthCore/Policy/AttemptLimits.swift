extension AuthPolicy {
    /// How wrong attempts delay further attempts.
    public struct AttemptLimits: Sendable, Hashable {
        /// How many wrong passwords for one account or address cause no delay.
        public var freePasswords = 5
        /// How many wrong attempts from one origin cause no delay.
        public var freeFromOrigin = 50
        /// How many wrong answers invalidate a code or a challenge.
        public var wrongCodes = 5
        /// How many wrong answers to the second factors of one account cause no delay.
        public var freeFactorAnswers = 20
        /// How many messages to one mailbox or number cause no delay.
        public var freeMessages = 5
        /// The first delay; each further attempt doubles it.
        public var firstWait = Duration.seconds(1)
        /// The longest delay.
        public var longestWait = Duration.minutes(15)
        /// The time in which a count halves.
        public var halfLife = Duration.hours(1)

        /// Creates the default limits.
        public init() {}

        /// When the next attempt is allowed; nil if it is allowed now.
        func waiting(_ record: AttemptRecord, free: Int, at now: Timestamp) -> Timestamp? {
            guard let lastAt = record.lastAt else { return nil }
            let count = record.count * AttemptRecord.wear(since: lastAt, now, halfLife: halfLife)
            let excess = count.rounded() - Double(free)
            guard excess >= 0 else { return nil }
            let until = lastAt + wait(doubled: Int(min(excess, 40)))
            return now < until ? until : nil
        }

        private func wait(doubled times: Int) -> Duration {
            var wait = firstWait
            for _ in 0..<times {
                guard wait < longestWait / 2 else { return longestWait }
                wait = wait * 2
            }
            return min(wait, longestWait)
        }
    }
}

/// Whether the next attempt is allowed, given the earlier ones.
enum AttemptStatus: Sendable, Hashable {
    case free
    case waiting(until: Timestamp)

    /// The status with the longest of several delays.
    init(_ waits: [Timestamp?]) {
        self = waits.compactMap(\.self).max().map { .waiting(until: $0) } ?? .free
    }
}
