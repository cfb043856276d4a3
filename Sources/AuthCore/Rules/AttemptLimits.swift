#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    /// The first wait, in seconds; each further attempt doubles it.
    public var firstWait = 1.0
    /// The longest wait, in seconds.
    public var longestWait = 900.0
    /// In how many seconds a count halves.
    public var halfLife = 3600.0

    /// The limits that are named here.
    public init() {}

    /// Until when the next attempt has to wait; nil if it need not.
    func waiting(_ record: AttemptRecord, free: Int, at now: Date) -> Date? {
        guard let lastAt = record.lastAt else { return nil }
        let count = record.count * AttemptRecord.wear(since: lastAt, now, halfLife: halfLife)
        let excess = count.rounded() - Double(free)
        guard excess >= 0 else { return nil }
        let wait = min(longestWait, firstWait * Double(UInt64(1) << UInt64(min(excess, 40))))
        let until = lastAt.addingTimeInterval(wait)
        return now < until ? until : nil
    }
}

/// What earlier attempts mean for the next one.
enum AttemptStanding: Sendable, Hashable {
    case free
    case waiting(until: Date)

    /// The longest of several waits.
    init(_ waits: [Date?]) {
        self = waits.compactMap(\.self).max().map { .waiting(until: $0) } ?? .free
    }
}
