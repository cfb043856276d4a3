extension AuthPolicy {
    /// When messages that could not be sent are tried again, and when they are given up.
    public struct Delivery: Sendable, Hashable {
        /// How long after the start of a try another process may begin one; a quarter of it is the time that a try may
        /// take.
        public var lease: Duration = .minutes(1)
        /// The wait after the first failed try; it doubles with each further one.
        public var firstWait: Duration = .seconds(30)
        /// The longest wait between two tries.
        public var longestWait: Duration = .hours(1)
        /// The number of failed tries after which a message is given up.
        public var tries = 20
        /// The age at which a message is given up; one with a code is given up when the code expires, if that is
        /// earlier.
        public var age: Duration = .days(1)
        /// How long a message that was given up stays visible to operators, counted from when it was written.
        public var kept: Duration = .days(30)

        /// Creates the default rule.
        public init() {}

        /// The lease, of a second at least: with a lease of zero, every message would be given up without being sent.
        var usableLease: Duration { max(lease, .seconds(1)) }

        /// The time that a try may take; the rest of its lease is for a process that is slow to note that it failed.
        var timeOfTry: Duration { usableLease / 4 }

        /// The wait after this many failed tries.
        func wait(after tries: Int) -> Duration { firstWait.doubled(min(tries - 1, 30), atMost: longestWait) }
    }
}
