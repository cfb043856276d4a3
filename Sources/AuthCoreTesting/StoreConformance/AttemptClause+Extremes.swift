import AuthCore

/// Clauses about attempts that are many, far apart, early, or of one key in one call.
extension AttemptClause {
    static let extremes = [
        AttemptClause(name: "attempts that are spread over a window all count", check: countsSpreadAttempts),
        AttemptClause(name: "many failures and long pauses are kept", check: keepsLargeNumbers),
        AttemptClause(name: "times before 1970 are times like others", check: countsEarlyAttempts),
        AttemptClause(name: "where no time is named the oldest attempt ends", check: endsTheOldest),
        AttemptClause(name: "a key that is named twice in one call counts twice", check: countsKeysNamedTwice),
        AttemptClause(name: "a settled attempt counts at once, whatever its allowance", check: countsSettledAttempts),
    ]

    private static let key = Store.AttemptKey(purpose: .password, hash: 1)

    private static func countsSpreadAttempts(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        let six = take(1, 6, each: .seconds(400), isSettled: true)
        for seconds in [0, 99, 100, 200, 300] {
            probe.now = start + .seconds(seconds)
            try await probe.expect([six], give: [.taken], "an attempt after \(seconds) s, with room for six")
        }
        // Attempts within a quarter of the window may be kept together, by the time of the last of them.
        probe.now = start + .seconds(400)
        let answers: [Store.TakeAnswer] = [.taken, .refused(until: start + .seconds(499))]
        try await probe.expect([six], give: answers, "attempts after 400 s, of which only the first is over")
    }

    private static func keepsLargeNumbers(_ probe: inout AttemptProbe) async throws {
        let many = Store.Take(key, .consecutive(300, then: nil), isSettled: true)
        for number in 0..<300 {
            let answer = try await probe.store.take([many], at: probe.now)
            probe.expect(answer, is: .taken, "failure \(number) of three hundred that are allowed")
        }
        try await probe.expect([many], give: [.refused(until: nil)], "after three hundred failures")
        let pause = Duration.seconds(3 * 366 * 86_400)
        let paused = Store.Take(.init(purpose: .password, hash: 2), .consecutive(1, then: pause), isSettled: true)
        try await probe.expect([paused], give: [.taken, .refused(until: probe.now + pause)], "a pause of three years")
        let boundless = take(3, .max, isSettled: true)
        try await probe.expect([boundless], give: [.taken, .taken, .taken], "the greatest number of attempts")
        let none = take(4, -3, isSettled: true)
        try await probe.expect(
            [none],
            give: [.taken, refused(probe)],
            "room for less than one attempt, which is for one"
        )
        probe.now = probe.now + .seconds(30 * 366 * 86_400)
        try await probe.expect([many], give: [.refused(until: nil)], "failures without an end, after thirty years")
    }

    private static func countsEarlyAttempts(_ probe: inout AttemptProbe) async throws {
        probe.now = Timestamp(seconds: -100_000)
        let one = take(1, 1, isSettled: true)
        try await probe.expect([one], give: [.taken, refused(probe)], "attempts before 1970")
        probe.now = probe.now + .seconds(3600)
        try await probe.expect([one], give: [.taken], "an attempt a window later")
    }

    private static func endsTheOldest(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        try await probe.expect([take(1, 2)], give: [.taken], "the first of two")
        probe.now = start + .seconds(40)
        try await probe.expect([take(1, 2)], give: [.taken], "the second of two")
        try await probe.store.refund([take(1, 2)], clearing: [], at: probe.now)
        // The second is still in flight here; the first would have failed.
        probe.now = start + .seconds(70)
        let second = take(1, 2, takenAt: start + .seconds(40))
        try await probe.store.refund([second], clearing: [], at: probe.now)
        try await probe.expect([take(1, 2)], give: [.taken, .taken, .inFlight], "after both were given back")
    }

    private static func countsKeysNamedTwice(_ probe: inout AttemptProbe) async throws {
        let three = take(1, 3)
        try await probe.expect([three, three], give: [.taken], "one key twice")
        try await probe.expect([three], give: [.taken, .inFlight], "the key, with room for one more")
    }

    private static func countsSettledAttempts(_ probe: inout AttemptProbe) async throws {
        let allowances: [Store.Allowance] = [
            .waits(free: 2, first: .seconds(60), longest: .seconds(3600), halving: .seconds(86_400)),
            .consecutive(2, then: .seconds(60)),
            .number(2, each: .seconds(60)),
        ]
        for (hash, allowance) in zip(UInt64(1)..., allowances) {
            let settled = Store.Take(.init(purpose: .password, hash: hash), allowance, isSettled: true)
            try await probe.expect([settled], give: [.taken, .taken, refused(probe, in: 60)], "two of \(allowance)")
        }
    }
}
