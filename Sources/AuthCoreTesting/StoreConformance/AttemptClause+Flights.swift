import AuthCore

/// Clauses about which attempt in flight ends, where the time is named at which it was taken, as a service does.
extension AttemptClause {
    static let flights = [
        AttemptClause(name: "a success ends the attempt that was taken at its time", check: refundsByTime),
        AttemptClause(name: "a failure ends the attempt that was taken at its time", check: keepsByTime),
        AttemptClause(name: "an end of another time ends no attempt", check: endsNoOtherTime),
        AttemptClause(name: "an attempt in flight for over a minute has failed", check: countsLostFlights),
        AttemptClause(name: "all attempts in flight count, however many", check: countsEveryFlight),
    ]

    /// Takes two attempts, the second thirty seconds after the first, and returns the second with its time.
    private static func takeTwo(_ probe: inout AttemptProbe) async throws -> Store.Take {
        probe.now = probe.now + .milliseconds(7)
        try await probe.expect([take(1, 2)], give: [.taken], "the first of two")
        probe.now = probe.now + .milliseconds(30_013)
        try await probe.expect([take(1, 2)], give: [.taken], "the second of two")
        return take(1, 2, takenAt: probe.now)
    }

    private static func refundsByTime(_ probe: inout AttemptProbe) async throws {
        let second = try await takeTwo(&probe)
        try await probe.store.refund([second], clearing: [], at: probe.now)
        try await expectFirstHasFailed(&probe)
    }

    private static func keepsByTime(_ probe: inout AttemptProbe) async throws {
        let second = try await takeTwo(&probe)
        try await probe.store.keep([second], at: probe.now)
        try await probe.store.refund([], clearing: [second.key], at: probe.now)
        try await expectFirstHasFailed(&probe)
    }

    /// A minute after the first attempt it has failed, since its process is gone, and nothing else counts.
    private static func expectFirstHasFailed(_ probe: inout AttemptProbe) async throws {
        probe.now = probe.now + .milliseconds(61_000 - 30_013)
        try await probe.expect(
            [take(1, 2, isSettled: true)],
            give: [.taken, refused(probe)],
            "after the second of two in flight ended, and the first was in flight for over a minute"
        )
    }

    private static func endsNoOtherTime(_ probe: inout AttemptProbe) async throws {
        let (one, now) = (take(1, 1), probe.now)
        try await probe.expect([one], give: [.taken], "room for one")
        let other = take(1, 1, takenAt: now + .milliseconds(1))
        try await probe.store.refund([other], clearing: [], at: now)
        try await probe.expect([one], give: [.inFlight], "after a success of another time")
        try await probe.store.keep([other], at: now)
        try await probe.expect([one], give: [.inFlight], "after a failure of another time")
        try await probe.store.refund([take(1, 1, takenAt: now)], clearing: [], at: now)
        try await probe.expect([one], give: [.taken], "after its own success")
    }

    private static func countsLostFlights(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        let (one, two) = (take(1, 1), take(2, 2))
        try await probe.expect([one, two], give: [.taken], "attempts whose process ends")
        probe.now = start + .seconds(59)
        try await probe.expect([two], give: [.taken], "an attempt after 59 s")
        let second = take(2, 2, takenAt: probe.now)
        probe.now = start + .seconds(61)
        // The first attempt has failed by now, though this call names only the second.
        try await probe.store.refund([second], clearing: [], at: probe.now)
        try await probe.expect(
            [take(2, 2, isSettled: true)],
            give: [.taken, refused(probe)],
            "a key of which one attempt was given back, and one was in flight for over a minute"
        )
        probe.now = start + .seconds(100)
        let answer = Store.TakeAnswer.refused(until: start + .seconds(3600))
        try await probe.expect([one], give: [answer], "a key of which the only attempt was in flight for over a minute")
    }

    private static func countsEveryFlight(_ probe: inout AttemptProbe) async throws {
        let one = take(1, 130)
        let answers = Array(repeating: Store.TakeAnswer.taken, count: 130) + [.inFlight]
        try await probe.expect([one], give: answers, "attempts of which none has ended")
    }
}
