import AuthCore

/// Clauses about what the end of an attempt does to the other attempts of the call, the key or the moment.
extension AttemptClause {
    static let ends = [
        AttemptClause(name: "of attempts that were taken at one time each ends alone", check: endsOneOfAMoment),
        AttemptClause(
            name: "an attempt that is not in flight keeps no other from ending",
            check: endsBesideMissingOnes
        ),
        AttemptClause(name: "the end of an attempt that no key has counts nothing", check: countsNoUnknownEnd),
        AttemptClause(name: "a success forgets no failure of its window", check: keepsFailuresOfTheWindow),
    ]

    private static func endsOneOfAMoment(_ probe: inout AttemptProbe) async throws {
        let five = take(1, 5, takenAt: probe.now)
        try await probe.expect(
            [take(1, 5)],
            give: [.taken, .taken, .taken, .taken, .taken, .inFlight],
            "room for five"
        )
        for _ in 0..<2 { try await probe.store.keep([five], at: probe.now) }
        try await probe.store.refund([five], clearing: [], at: probe.now)
        try await probe.expect([take(1, 5)], give: [.taken, .inFlight], "after two of five failed and one succeeded")
        for _ in 0..<3 { try await probe.store.keep([five], at: probe.now) }
        try await probe.expect([take(1, 5)], give: [refused(probe)], "after five of one moment failed")
    }

    private static func endsBesideMissingOnes(_ probe: inout AttemptProbe) async throws {
        let missing = take(9, 1)
        let cleared = take(3, 1, isSettled: true)
        for takenAt in [nil, probe.now] {
            let hash: UInt64 = takenAt == nil ? 1 : 2
            try await probe.expect([take(hash, 2)], give: [.taken, .taken], "room for two")
            let present = take(hash, 2, takenAt: takenAt)
            try await probe.store.keep([missing, present], at: probe.now)
            try await probe.expect([cleared], give: [.taken, refused(probe)], "a key with room for one")
            try await probe.store.refund([missing, present], clearing: [cleared.key], at: probe.now)
            try await probe.expect(
                [take(hash, 2)],
                give: [.taken, .inFlight],
                "after one of two failed and one succeeded"
            )
            try await probe.expect([cleared], give: [.taken], "the key that was cleared beside them")
            try await probe.store.refund([], clearing: [cleared.key], at: probe.now)
        }
    }

    private static func countsNoUnknownEnd(_ probe: inout AttemptProbe) async throws {
        let allowances: [Store.Allowance] = [
            .number(1, each: .seconds(60)), .consecutive(1, then: nil),
            .waits(free: 1, first: .seconds(60), longest: .seconds(3600), halving: .seconds(86_400)),
        ]
        for (hash, allowance) in zip(UInt64(1)..., allowances) {
            for takenAt in [nil, probe.now] {
                let key = Store.AttemptKey(purpose: .password, hash: 2 * hash + (takenAt == nil ? 0 : 1))
                try await probe.store.keep([Store.Take(key, allowance, takenAt: takenAt)], at: probe.now)
                let one = Store.Take(key, allowance)
                try await probe.expect([one], give: [.taken, .inFlight], "the first attempt under \(allowance)")
            }
        }
    }

    private static func keepsFailuresOfTheWindow(_ probe: inout AttemptProbe) async throws {
        let day = Duration.seconds(86_400)
        let start = probe.now
        try await probe.expect([take(1, 2, each: day, isSettled: true)], give: [.taken], "a failure")
        for hours in [7, 13, 20] {
            probe.now = start + .seconds(hours * 3600)
            try await probe.expect([take(1, 2, each: day)], give: [.taken, .inFlight], "the room that is left")
            try await probe.store.refund([take(1, 2, each: day)], clearing: [], at: probe.now)
        }
        let answers: [Store.TakeAnswer] = [.taken, .refused(until: start + day)]
        try await probe.expect([take(1, 2, each: day, isSettled: true)], give: answers, "a second failure in the day")
    }
}
