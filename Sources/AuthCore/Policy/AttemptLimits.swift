/// How wrong attempts slow down those who guess.
public struct AttemptLimits: Sendable, Hashable {
    /// How many wrong passwords for one account or address cost nothing.
    public var freePasswords = 5
    /// How many wrong attempts from one origin cost nothing.
    public var freeFromOrigin = 50
    /// How many wrong answers end a code or a challenge.
    public var wrongCodes = 5
    /// How many wrong answers to the second factors of one account cost nothing.
    public var freeFactorAnswers = 20
    /// How many messages a mailbox or number gets before it has to wait.
    public var freeMessages = 5
    /// The first wait; each further attempt doubles it.
    public var firstWait = Duration.seconds(1)
    /// The longest wait.
    public var longestWait = Duration.minutes(15)
    /// In what time a count halves.
    public var halfLife = Duration.hours(1)

    /// The limits that are named here.
    public init() {}

    /// Until when the next attempt has to wait; nil if it need not.
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

/// What earlier attempts mean for the next one.
enum AttemptStatus: Sendable, Hashable {
    case free
    case waiting(until: Timestamp)

    /// The longest of several waits.
    init(_ waits: [Timestamp?]) {
        self = waits.compactMap(\.self).max().map { .waiting(until: $0) } ?? .free
    }
}
