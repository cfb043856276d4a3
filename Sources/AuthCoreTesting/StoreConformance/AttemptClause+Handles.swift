import AuthCore

/// Clauses about two handles on one database, and about a database that is opened again.
extension AttemptClause {
    static let handles = [
        AttemptClause(name: "what is counted on one handle counts on the other", check: handlesCountTogether),
        AttemptClause(
            name: "of parallel attempts on two handles no more are taken than allowed",
            check: handlesTakeAtomically
        ),
        AttemptClause(name: "of parallel ends on two handles each counts once", check: handlesEndAtomically),
        AttemptClause(name: "what was counted counts after the store is opened again", check: countsSurvive),
    ]

    private static func handlesCountTogether(_ probe: inout AttemptProbe) async throws {
        let (here, there, now) = (probe.store, probe.other, probe.now)
        let refused = Store.TakeAnswer.refused(until: now + .seconds(3600))
        // Each handle sees the key before the other one changes it, so that it has something that it could keep.
        let settled = take(1, 3, isSettled: true)
        try await probe.expect([settled], give: [.taken], "the first of three")
        try await probe.expect([settled], give: [.taken], "the second, on the other handle", on: there)
        try await probe.expect([settled], give: [.taken, refused], "the third and the fourth")
        try await probe.expect([settled], give: [refused], "the fifth, on the other handle", on: there)
        try await here.refund([], clearing: [settled.key], at: now)
        try await probe.expect([settled], give: [.taken], "a key that the first handle cleared", on: there)

        let flying = take(2, 2)
        try await probe.expect([flying], give: [.taken], "the first of two in flight")
        try await probe.expect([flying], give: [.taken, .inFlight], "the second, on the other handle", on: there)
        try await there.refund([take(2, 2, takenAt: now)], clearing: [], at: now)
        try await probe.expect([flying], give: [.taken, .inFlight], "after the other handle gave one back")
        for handle in [here, there] { try await handle.keep([flying], at: now) }
        try await probe.expect([flying], give: [refused], "after one failure on each handle")
        try await probe.expect([flying], give: [refused], "the same on the other handle", on: there)
    }

    private static func handlesTakeAtomically(_ probe: inout AttemptProbe) async throws {
        let (handles, now) = ([probe.store, probe.other], probe.now)
        let answers = try await withThrowingTaskGroup(of: Store.TakeAnswer.self) { group in
            for number in 0..<60 {
                let takes = [take(100 + UInt64(number % 5), 60), take(1, 7)]
                group.addTask { try await handles[number % 2].take(takes, at: now) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        probe.expect(answers.count { $0 == .taken }, is: 7, "attempts taken of sixty at once on two handles")
        probe.expect(answers.count { $0 == .inFlight }, is: 53, "attempts that only attempts in flight prevented")
    }

    private static func handlesEndAtomically(_ probe: inout AttemptProbe) async throws {
        let (handles, now, one) = ([probe.store, probe.other], probe.now, take(1, 40))
        try await probe.expect([one], give: Array(repeating: .taken, count: 40), "forty attempts in flight")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let handle = handles[number % 2]
                group.addTask {
                    if number % 4 < 2 {
                        try await handle.keep([one], at: now)
                    } else {
                        try await handle.refund([one], clearing: [], at: now)
                    }
                }
            }
            try await group.waitForAll()
        }
        let room = Array(repeating: Store.TakeAnswer.taken, count: 20) + [.inFlight]
        try await probe.expect([one], give: room, "after twenty failures and twenty successes at once on two handles")
    }

    private static func countsSurvive(_ probe: inout AttemptProbe) async throws {
        guard let reopen = probe.subject.reopen else { throw StoreClause.NotApplicable() }
        let start = probe.now
        let (settled, flying) = (take(1, 2, isSettled: true), take(2, 2))
        let wait = Store.Take(
            .init(purpose: .password, hash: 3),
            .waits(free: 1, first: .seconds(300), longest: .seconds(300), halving: .seconds(100_000))
        )
        let endless = Store.Take(.init(purpose: .factor, hash: 4), .consecutive(1, then: nil))
        let cleared = take(5, 1, isSettled: true)
        let named = take(6, 1, takenAt: start)
        try await probe.expect([settled], give: [.taken, .taken], "two attempts that count at once")
        try await probe.expect([flying], give: [.taken, .taken], "two attempts in flight")
        try await probe.store.refund([flying], clearing: [], at: start)
        try await probe.expect([wait, endless, cleared], give: [.taken], "one attempt of each kind")
        try await probe.store.keep([wait, endless], at: start)
        try await probe.store.refund([], clearing: [cleared.key], at: start)

        try await probe.expect([named], give: [.taken], "an attempt that ends after the store is opened again")

        probe.store = try await reopen()
        probe.now = start + .seconds(10)
        try await probe.store.refund([named], clearing: [], at: probe.now)
        let cases: [(Store.Take, Store.TakeAnswer, String)] = [
            (settled, .refused(until: start + .seconds(3600)), "a window that is full"),
            (wait, .refused(until: start + .seconds(300)), "a wait"),
            (endless, .refused(until: nil), "a limit of consecutive failures"),
            (flying, .taken, "a key of which one attempt is in flight"), (flying, .inFlight, "the same key again"),
            (cleared, .taken, "a key that was cleared"), (named, .taken, "an attempt that was given back by its time"),
        ]
        for (take, answer, what) in cases {
            try await probe.expect([take], give: [answer], "\(what), after the store was opened again")
        }
    }
}
