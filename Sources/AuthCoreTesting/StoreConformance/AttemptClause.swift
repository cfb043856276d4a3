import AuthCore
import Synchronization

/// One clause of the contract of attempt stores, with the check that finds out whether a store keeps it.
struct AttemptClause: Sendable {
    let name: String
    let check: @Sendable (inout AttemptProbe) async throws -> Void

    static let all =
        [
            AttemptClause(name: "an attempt counts under every key", check: countsUnderEveryKey),
            AttemptClause(name: "what one key refuses counts under none", check: refusesAsAWhole),
            AttemptClause(name: "of parallel attempts no more are taken than allowed", check: takesAtomically),
            AttemptClause(name: "what one key refuses disturbs no other attempt", check: refusesNoOtherAttempt),
            AttemptClause(name: "a success gives back exactly its own attempt", check: refundsExactly),
            AttemptClause(name: "a failure stays counted", check: keepsFailures),
            AttemptClause(name: "where attempts in flight stand in the way, the answer says so", check: tellsOfFlights),
            AttemptClause(name: "a key that is cleared is free, and no other one", check: clearsOneKey),
            AttemptClause(name: "clearing a key leaves its attempts in flight counted", check: clearsNoFlight),
            AttemptClause(name: "an attempt counts until a window after it", check: endsWindows),
            AttemptClause(name: "a clock that is set back refuses no attempt", check: forgivesTheClock),
            AttemptClause(name: "waits double, and counts wear away", check: doublesWaits),
            AttemptClause(name: "consecutive failures count without an end", check: countsConsecutiveFailures),
            AttemptClause(name: "purposes are counted apart", check: separatesPurposes),
            AttemptClause(name: "a flood of other keys makes no key count less", check: survivesFloods),
        ] + flights + ends + extremes + more + times + parallel + handles

    static func take(
        _ hash: UInt64,
        _ most: Int,
        _ purpose: Store.AttemptKey.Purpose = .code,
        each window: Duration = .seconds(3600),
        isSettled: Bool = false,
        takenAt: Timestamp? = nil
    ) -> Store.Take {
        Store.Take(
            Store.AttemptKey(purpose: purpose, hash: hash),
            .number(most, each: window),
            isSettled: isSettled,
            takenAt: takenAt
        )
    }

    static func refused(_ probe: AttemptProbe, in seconds: Double = 3600) -> Store.TakeAnswer {
        .refused(until: probe.now + .seconds(seconds))
    }

    private static func countsUnderEveryKey(_ probe: inout AttemptProbe) async throws {
        let both = [take(1, 2, isSettled: true), take(2, 2, isSettled: true)]
        try await probe.expect(both, give: [.taken, .taken], "two keys with room for two")
        for one in both { try await probe.expect([one], give: [refused(probe)], "each key by itself") }
    }

    private static func refusesAsAWhole(_ probe: inout AttemptProbe) async throws {
        let (full, free) = (take(1, 1, isSettled: true), take(2, 1, isSettled: true))
        try await probe.expect([full], give: [.taken], "a first attempt")
        for takes in [[full, free], [free, full]] {
            try await probe.expect(takes, give: [refused(probe)], "a key without room and one with room")
        }
        try await probe.expect([free], give: [.taken], "the key with room, after the refusals")
    }

    private static func takesAtomically(_ probe: inout AttemptProbe) async throws {
        let (store, now) = (probe.store, probe.now)
        let answers = try await withThrowingTaskGroup(of: Store.TakeAnswer.self) { group in
            for runner in 0..<200 as Range<UInt64> {
                // Each pair has one key in common with all, and one with every tenth.
                let takes = [take(100 + runner % 10, 20), take(1, 5)]
                group.addTask { try await store.take(runner % 2 == 0 ? takes : takes.reversed(), at: now) }
            }
            var answers: [Store.TakeAnswer] = []
            for try await answer in group { answers.append(answer) }
            return answers
        }
        probe.expect(answers.count { $0 == .taken }, is: 5, "attempts taken of two hundred at once")
        probe.expect(answers.count { $0 == .inFlight }, is: 195, "attempts that only attempts in flight prevented")
        var room = 0
        for hash in 100..<110 as Range<UInt64> {
            while room < 1000, try await store.take([take(hash, 20)], at: now) == .taken { room += 1 }
        }
        probe.expect(room, is: 195, "the room that the other keys of two hundred attempts have left")
    }

    /// A store that takes one key after the other, and gives the first back where the second has no room, refuses for a
    /// moment what is allowed.
    private static func refusesNoOtherAttempt(_ probe: inout AttemptProbe) async throws {
        let (store, now) = (probe.store, probe.now)
        let (free, full) = (take(1, 1), take(2, 1, isSettled: true))
        try await probe.expect([full], give: [.taken], "a first attempt")
        let refused = Mutex(0)
        let refusals = Task {
            defer { refused.withLock { $0 = .max } }
            while !Task.isCancelled {
                _ = try await store.take([free, full], at: now)
                refused.withLock { $0 += 1 }
                await Task.yield()
            }
        }
        defer { refusals.cancel() }
        // On a busy machine the refusals begin late, or stand still for a while, and on a fast one many rounds are over
        // by then.
        let limit = ContinuousClock.now + .seconds(5)
        var round = 0
        while round < 1000 || refused.withLock({ $0 }) < 100, round < 20_000 || ContinuousClock.now < limit {
            round += 1
            try await probe.expect([free], give: [.taken], "a key with room, beside attempts that another key refuses")
            try await store.refund([free], clearing: [], at: now)
            await Task.yield()
        }
        refusals.cancel()
        _ = await refusals.result
    }

    private static func refundsExactly(_ probe: inout AttemptProbe) async throws {
        let takes = [take(1, 3), take(2, 3)]
        try await probe.expect(takes, give: [.taken, .taken, .taken], "room for three")
        try await probe.store.keep(takes, at: probe.now)
        try await probe.store.refund(takes, clearing: [], at: probe.now)
        try await probe.expect(takes, give: [.taken, .inFlight], "after one of three succeeded")
    }

    private static func keepsFailures(_ probe: inout AttemptProbe) async throws {
        let takes = [take(1, 1)]
        try await probe.expect(takes, give: [.taken], "room for one")
        try await probe.store.keep(takes, at: probe.now)
        try await probe.expect(takes, give: [refused(probe)], "after it failed")
        try await probe.store.refund(takes, clearing: [], at: probe.now)
        try await probe.expect(takes, give: [refused(probe)], "after a refund of what is not in flight")
    }

    private static func tellsOfFlights(_ probe: inout AttemptProbe) async throws {
        let takes = [take(1, 2)]
        try await probe.expect(takes, give: [.taken, .taken, .inFlight], "room for two")
        try await probe.store.keep(takes, at: probe.now)
        try await probe.expect(takes, give: [.inFlight], "with one failed and one in flight")
        let started = probe.now
        probe.now = probe.now + .seconds(61)
        try await probe.expect(
            takes,
            give: [.refused(until: started + .seconds(3600))],
            "with one in flight for over a minute, which has failed"
        )
    }

    private static func clearsOneKey(_ probe: inout AttemptProbe) async throws {
        let (one, other) = (take(1, 1, isSettled: true), take(2, 1, isSettled: true))
        try await probe.expect([one, other], give: [.taken], "room for one")
        try await probe.store.refund([], clearing: [one.key], at: probe.now)
        try await probe.expect([one], give: [.taken], "the key that was cleared")
        try await probe.expect([other], give: [refused(probe)], "the key that was not")
    }

    private static func clearsNoFlight(_ probe: inout AttemptProbe) async throws {
        let takes = [take(1, 2)]
        try await probe.expect(takes, give: [.taken, .taken, .inFlight], "room for two")
        try await probe.store.refund([], clearing: [takes[0].key], at: probe.now)
        try await probe.expect(takes, give: [.inFlight], "after the key was cleared")
    }

    private static func endsWindows(_ probe: inout AttemptProbe) async throws {
        let takes = [take(1, 2, isSettled: true)]
        let start = probe.now
        try await probe.expect(takes, give: [.taken], "the first of a window")
        probe.now = probe.now + .seconds(1800)
        try await probe.expect(takes, give: [.taken, .refused(until: start + .seconds(3600))], "in the middle of it")
        probe.now = start + .seconds(3600)
        let next = Store.TakeAnswer.refused(until: start + .seconds(5400))
        try await probe.expect(takes, give: [.taken, next], "a window after the first")
        probe.now = start + .seconds(7200)
        try await probe.expect(takes, give: [.taken, .taken, refused(probe)], "a window after the last")
    }

    private static func forgivesTheClock(_ probe: inout AttemptProbe) async throws {
        let window = take(1, 1, isSettled: true)
        let wait = Store.Take(
            Store.AttemptKey(purpose: .password, hash: 1),
            .waits(free: 1, first: .seconds(8), longest: .seconds(8), halving: .seconds(100_000))
        )
        let paused = Store.Take(.init(purpose: .number, hash: 1), .consecutive(1, then: .seconds(60)))
        let now = probe.now
        probe.now = now + .seconds(86_400 * 365)
        try await probe.expect([window, wait, paused], give: [.taken], "attempts by a clock that is a year ahead")
        try await probe.store.keep([wait, paused], at: probe.now)
        probe.now = now
        try await probe.expect([window], give: [.taken, refused(probe)], "a window, after the clock was set right")
        try await probe.expect([wait], give: [.taken, .inFlight], "a wait, after the clock was set right")
        try await probe.expect([paused], give: [.taken, .inFlight], "a pause, after the clock was set right")
    }

    private static func doublesWaits(_ probe: inout AttemptProbe) async throws {
        let key = Store.AttemptKey(purpose: .password, hash: 1)
        let allowance = Store.Allowance.waits(
            free: 2,
            first: .seconds(1),
            longest: .seconds(8),
            halving: .seconds(100_000)
        )
        let takes = [Store.Take(key, allowance)]
        for _ in 0..<2 {
            try await probe.expect(takes, give: [.taken], "free attempts")
            try await probe.store.keep(takes, at: probe.now)
        }
        for wait in [1, 2, 4, 8, 8] as [Double] {
            try await probe.expect(takes, give: [refused(probe, in: wait)], "before a wait of \(wait) s")
            probe.now = probe.now + .seconds(wait)
            try await probe.expect(takes, give: [.taken], "after a wait of \(wait) s")
            try await probe.store.keep(takes, at: probe.now)
        }
        probe.now = probe.now + .seconds(1_000_000)
        try await probe.expect(takes, give: [.taken, .taken, .inFlight], "after ten halvings")
    }

    private static func countsConsecutiveFailures(_ probe: inout AttemptProbe) async throws {
        let endless = Store.Take(.init(purpose: .factor, hash: 1), .consecutive(2, then: nil))
        let paused = Store.Take(.init(purpose: .number, hash: 1), .consecutive(2, then: .seconds(60)))
        for _ in 0..<2 {
            try await probe.expect([endless, paused], give: [.taken], "two free attempts")
            try await probe.store.keep([endless, paused], at: probe.now)
            probe.now = probe.now + .seconds(50)
        }
        try await probe.expect([paused], give: [refused(probe, in: 10)], "during the pause")
        probe.now = probe.now + .seconds(86_400 * 365)
        try await probe.expect([paused], give: [.taken], "after the pause")
        try await probe.expect([endless], give: [.refused(until: nil)], "a year later, without a pause")
    }

    private static func separatesPurposes(_ probe: inout AttemptProbe) async throws {
        for purpose in Store.AttemptKey.Purpose.allCases {
            try await probe.expect(
                [take(1, 1, purpose, isSettled: true)],
                give: [.taken],
                "the first attempt of purpose \(purpose)"
            )
        }
    }

    private static func survivesFloods(_ probe: inout AttemptProbe) async throws {
        let victims = (0..<50 as Range<UInt64>).map { take($0 &* 0x9E37_79B9_7F4A_7C15, 2, isSettled: true) }
        for victim in victims { try await probe.expect([victim], give: [.taken], "a victim's first attempt") }
        // Several keys at once, as an attempt has them, which a database answers sooner. There is room for far more, so
        // that a key which shares its place with others does not keep the rest from being counted.
        for first in stride(from: 1000, to: 21_000, by: 8) as StrideTo<UInt64> {
            let flood = (first..<first + 8).map { take($0 &* 0x9E37_79B9_7F4A_7C15, 100_000, isSettled: true) }
            _ = try await probe.store.take(flood, at: probe.now)
        }
        // A full table may count too much, but one that takes two more has forgotten the first.
        for victim in victims {
            let answers = [
                try await probe.store.take([victim], at: probe.now),
                try await probe.store.take([victim], at: probe.now),
            ]
            if answers == [.taken, .taken] { probe.findings.append("a key was forgotten under a flood of others") }
        }
    }
}
