import AuthCore

/// Clauses about several keys, and about what an answer or an end of an attempt must not change.
extension AttemptClause {
    static let more = [
        AttemptClause(name: "several keys are kept, given back and cleared together", check: endsEveryKey),
        AttemptClause(
            name: "what ends and was not in flight counts nothing, and frees nothing",
            check: endsOnlyFlights
        ),
        AttemptClause(name: "an attempt is judged by the allowance that it names", check: obeysEachAllowance),
        AttemptClause(name: "of several refusals the one that lasts longest is answered", check: answersTheLongest),
        AttemptClause(name: "keys are compared whole", check: comparesWholeKeys),
        AttemptClause(name: "a cleared key is free, whatever counted there", check: clearsEveryCount),
        AttemptClause(name: "an attempt of a clock that is behind is in flight", check: countsEarlierFlights),
        AttemptClause(
            name: "times are kept to the millisecond, and counts however broken or high",
            check: keepsNumbers
        ),
        AttemptClause(name: "what counts is kept as long as it counts", check: keepsWhatCounts),
        AttemptClause(name: "a clock that is a little behind allows no more attempts", check: forgivesNoSkew),
        AttemptClause(name: "what is refused changes nothing", check: refusesWithoutTrace),
        AttemptClause(name: "a failure counts from its end, and a cleared key from nothing", check: countsFromTheEnd),
        AttemptClause(name: "of many keys in one call none is left out", check: leavesOutNoKey),
    ]

    private static func endsEveryKey(_ probe: inout AttemptProbe) async throws {
        let all = [take(1, 2), take(2, 2), take(3, 2, .password)]
        try await probe.expect(all, give: [.taken, .taken, .inFlight], "keys with room for two")
        for _ in 0..<2 { try await probe.store.keep(all, at: probe.now) }
        for one in all { try await probe.expect([one], give: [refused(probe)], "each key, after two failures") }
        try await probe.store.refund([], clearing: all.map(\.key), at: probe.now)
        for one in all {
            try await probe.expect([one], give: [.taken, .taken, .inFlight], "each key, once it was cleared")
        }
        for _ in 0..<2 { try await probe.store.refund(all, clearing: [], at: probe.now) }
        for one in all {
            try await probe.expect([one], give: [.taken, .taken, .inFlight], "each key, after two successes")
        }
        // A success of one key and the clearing of another are one step.
        try await probe.store.refund([all[0], all[0]], clearing: [all[0].key, all[1].key], at: probe.now)
        try await probe.expect([all[0]], give: [.taken, .taken, .inFlight], "a key that was given back and cleared")
    }

    private static func clearsEveryCount(_ probe: inout AttemptProbe) async throws {
        let hour = Duration.seconds(3600)
        let allowances: [Store.Allowance] = [
            .number(2, each: hour), .consecutive(2, then: nil), .consecutive(2, then: hour),
            .waits(free: 2, first: hour, longest: hour, halving: hour),
        ]
        for (place, allowance) in allowances.enumerated() {
            let one = Store.Take(Store.AttemptKey(purpose: .password, hash: UInt64(place)), allowance)
            try await fail(one, &probe)
            try await probe.expect([one], give: [.taken], "one more, after a failure")
            // A success gives its attempt back and clears the key in one step.
            try await probe.store.refund([one], clearing: [one.key], at: probe.now)
            try await probe.expect([one], give: [.taken, .taken, .inFlight], "a key that a success cleared")
            for _ in 0..<2 { try await probe.store.keep([one], at: probe.now) }
            try await probe.store.refund([], clearing: [one.key], at: probe.now)
            try await probe.expect([one], give: [.taken, .taken, .inFlight], "a key that was cleared")
        }
    }

    private static func countsEarlierFlights(_ probe: inout AttemptProbe) async throws {
        let (one, began) = (take(1, 2), probe.now)
        try await probe.expect([one], give: [.taken], "the first attempt")
        probe.now = began + .seconds(-20)
        try await probe.expect([one], give: [.taken, .inFlight], "on a clock that is 20 seconds behind")
    }

    private static func endsOnlyFlights(_ probe: inout AttemptProbe) async throws {
        let one = take(1, 2)
        for _ in 0..<3 { try await probe.store.keep([one], at: probe.now) }
        for _ in 0..<3 { try await probe.store.refund([one], clearing: [one.key], at: probe.now) }
        try await probe.expect([one], give: [.taken, .taken, .inFlight], "a key of which nothing was in flight")
        let settled = take(2, 2, isSettled: true)
        try await probe.expect([settled], give: [.taken], "an attempt that counts at once")
        try await probe.store.keep([settled], at: probe.now)
        try await probe.store.refund([settled], clearing: [], at: probe.now)
        try await probe.expect([settled], give: [.taken, refused(probe)], "after the end of what was not in flight")
        let pause = Duration.seconds(100)
        let allowances: [Store.Allowance] = [
            .consecutive(2, then: pause), .waits(free: 2, first: pause, longest: pause, halving: .seconds(100_000)),
        ]
        for (place, allowance) in allowances.enumerated() {
            let failed = Store.Take(.init(purpose: .password, hash: 50 + UInt64(place)), allowance)
            for _ in 0..<2 { try await fail(failed, &probe) }
            for _ in 0..<2 { try await probe.store.refund([failed], clearing: [], at: probe.now) }
            try await probe.expect([failed], give: [refused(probe, in: 100)], "two failures, and successes of nothing")
        }
    }

    private static func obeysEachAllowance(_ probe: inout AttemptProbe) async throws {
        for most in [1, 3, 4] {
            let before = most == 1 ? 0 : most == 3 ? 1 : 3
            let answers = Array(repeating: Store.TakeAnswer.taken, count: most - before) + [refused(probe)]
            try await probe.expect(
                [take(1, most, isSettled: true)],
                give: answers,
                "a key with room for \(most) by now"
            )
        }
        try await probe.expect([take(1, 2, isSettled: true)], give: [refused(probe)], "a key with less room by now")
        let pause = Store.Take(take(1, 1).key, .consecutive(9, then: nil))
        try await probe.expect([pause], give: [.taken], "the same key, under another kind of allowance")
    }

    private static func answersTheLongest(_ probe: inout AttemptProbe) async throws {
        let (short, long) = (
            take(1, 1, each: .seconds(100), isSettled: true), take(2, 1, each: .seconds(200), isSettled: true)
        )
        let endless = Store.Take(.init(purpose: .factor, hash: 3), .consecutive(1, then: nil), isSettled: true)
        let (flying, free) = (take(4, 1), take(5, 9))
        try await probe.expect([short, long, endless, flying], give: [.taken], "four keys with room for one")
        let cases: [([Store.Take], Store.TakeAnswer)] = [
            ([short], refused(probe, in: 100)), ([short, long], refused(probe, in: 200)), ([free, flying], .inFlight),
            ([flying, short], refused(probe, in: 100)), ([short, endless, long], .refused(until: nil)),
            ([flying, endless], .refused(until: nil)), ([free, long, flying, short], refused(probe, in: 200)),
        ]
        for (takes, answer) in cases {
            try await probe.expect(takes, give: [answer], "keys of which \(takes.count) have no room")
            try await probe.expect(takes.reversed(), give: [answer], "the same keys in the other order")
        }
    }

    private static func comparesWholeKeys(_ probe: inout AttemptProbe) async throws {
        // Pairs that differ in one bit; no two pairs share the low bits, by which a table may choose a row of few
        // places.
        let bits: [UInt64] = [0, 7, 8, 16, 31, 32, 48, 62, 63]
        let pairs = bits.flatMap { bit -> [UInt64] in
            let first = 100 + 2 * bit
            return [first, first ^ (1 << bit)]
        }
        let hashes: [UInt64] = [0, .max, .max - 1] + pairs
        let purposes: [Store.AttemptKey.Purpose] = [.password, .code, .newPassword]
        let all = purposes.flatMap { purpose in hashes.map { take($0, 1, purpose, isSettled: true) } }
        for one in all { try await probe.expect([one], give: [.taken], "the first attempt under \(one.key)") }
        for one in all { try await probe.expect([one], give: [refused(probe)], "the second attempt under \(one.key)") }
        for place in all.indices {
            try await probe.store.refund([], clearing: [all[place].key], at: probe.now)
            try await probe.expect([all[place]], give: [.taken, refused(probe)], "a key that was cleared")
            let other = all[(place + 1) % all.count]
            try await probe.expect([other], give: [refused(probe)], "a key beside one that was cleared")
        }
    }

    private static func keepsNumbers(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        probe.now = start + .milliseconds(123)
        let one = take(1, 1, each: .milliseconds(2501), isSettled: true)
        try await probe.expect([one], give: [.taken, refused(probe, in: 2.501)], "a window of broken seconds")
        probe.now = start + .milliseconds(2623)
        try await probe.expect([one], give: [refused(probe, in: 0.001)], "a millisecond before its end")
        probe.now = start + .milliseconds(2624)
        try await probe.expect([one], give: [.taken], "at its end")
        let many = take(2, 301, isSettled: true)
        try await probe.expect(
            [many],
            give: Array(repeating: .taken, count: 301) + [refused(probe)],
            "three hundred attempts"
        )
        // Of three failures 2.25 are left after half of the time, and of 3.25 another time 2.6, which is three.
        let key = Store.AttemptKey(purpose: .password, hash: 3)
        let allowance = Store.Allowance.waits(
            free: 3,
            first: .seconds(50),
            longest: .seconds(50),
            halving: .seconds(100)
        )
        let wait = Store.Take(key, allowance)
        for _ in 0..<3 { try await fail(wait, &probe) }
        probe.now = probe.now + .seconds(50)
        try await fail(wait, &probe)
        probe.now = probe.now + .seconds(40)
        try await probe.expect([wait], give: [refused(probe, in: 10)], "where broken counts make three")
        // Times that 32 bits of seconds do not hold, with a sign and without, and one in a year of five digits.
        for (hash, seconds) in [(4, 1 << 31), (5, 1 << 32), (6, 253_402_300_800)] as [(UInt64, Int64)] {
            probe.now = Timestamp(seconds: seconds + 10_000)
            try await probe.expect(
                [take(hash, 1, isSettled: true)],
                give: [.taken, refused(probe)],
                "an attempt at \(probe.now)"
            )
        }
    }

    static func fail(_ take: Store.Take, _ probe: inout AttemptProbe) async throws {
        try await probe.expect([take], give: [.taken], "an attempt that fails")
        try await probe.store.keep([take], at: probe.now)
    }

    private static func keepsWhatCounts(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        let month = take(1, 2, each: .seconds(30 * 86_400), isSettled: true)
        let pause = Store.Take(.init(purpose: .factor, hash: 1), .consecutive(1, then: .seconds(30 * 86_400)))
        let wait = Store.Take(
            .init(purpose: .password, hash: 1),
            .waits(
                free: 1,
                first: .seconds(20 * 86_400),
                longest: .seconds(20 * 86_400),
                halving: .seconds(400 * 86_400)
            )
        )
        try await probe.expect([month, pause, wait], give: [.taken], "three first attempts")
        try await probe.store.keep([pause, wait], at: probe.now)
        probe.now = start + .seconds(19 * 86_400)
        // What comes between makes a store look at its rows.
        for hash in 100..<200 as Range<UInt64> {
            try await probe.expect([take(hash, 1, .mail)], give: [.taken], "others")
        }
        let until = Store.TakeAnswer.refused(until: start + .seconds(30 * 86_400))
        try await probe.expect([pause], give: [until], "a pause of a month, after weeks")
        try await probe.expect([wait], give: [.refused(until: start + .seconds(20 * 86_400))], "a wait of weeks")
        try await probe.expect([month], give: [.taken, until], "a window of a month, after weeks")
        probe.now = start + .seconds(30 * 86_400)
        try await probe.expect([pause], give: [.taken], "a pause of a month, at its end")
        let next = Store.TakeAnswer.refused(until: start + .seconds(49 * 86_400))
        try await probe.expect([month], give: [.taken, next], "a window of a month, at its end")
    }

    /// Servers over one store have clocks that differ by up to a minute.
    private static func forgivesNoSkew(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        let (full, flying) = (take(1, 1, isSettled: true), take(2, 1))
        let wait = Store.Take(
            .init(purpose: .password, hash: 1),
            .waits(free: 1, first: .seconds(300), longest: .seconds(300), halving: .seconds(100_000))
        )
        try await probe.expect([full, flying], give: [.taken], "attempts by one clock")
        try await fail(wait, &probe)
        for behind in [1.0, 30, 60] {
            probe.now = start - .seconds(behind)
            try await probe.expect(
                [full],
                give: [.refused(until: start + .seconds(3600))],
                "a window, \(behind) s before it began"
            )
            try await probe.expect([flying], give: [.inFlight], "an attempt in flight, \(behind) s before it began")
            try await probe.expect(
                [wait],
                give: [.refused(until: start + .seconds(300))],
                "a wait, \(behind) s before it began"
            )
        }
    }

    private static func refusesWithoutTrace(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        let window = take(1, 1, each: .seconds(100), isSettled: true)
        let wait = Store.Take(
            .init(purpose: .password, hash: 1),
            .waits(free: 1, first: .seconds(100), longest: .seconds(800), halving: .seconds(100_000))
        )
        let pause = Store.Take(.init(purpose: .factor, hash: 1), .consecutive(1, then: .seconds(100)))
        try await probe.expect([window], give: [.taken], "a first attempt")
        for one in [wait, pause] { try await fail(one, &probe) }
        for seconds in [1.0, 30, 60, 99, 99.999] {
            probe.now = start + .seconds(seconds)
            for one in [window, wait, pause] {
                let answer = Store.TakeAnswer.refused(until: start + .seconds(100))
                try await probe.expect([one], give: [answer, answer], "an attempt after \(seconds) of 100 s")
            }
        }
        probe.now = start + .seconds(100)
        for one in [window, wait, pause] { try await probe.expect([one], give: [.taken], "an attempt after 100 s") }
    }

    private static func countsFromTheEnd(_ probe: inout AttemptProbe) async throws {
        let key = { (hash: UInt64) in Store.AttemptKey(purpose: .password, hash: hash) }
        let takes = [
            Store.Take(key(1), .number(1, each: .seconds(100))),
            Store.Take(key(2), .consecutive(1, then: .seconds(100))),
            Store.Take(key(3), .waits(free: 1, first: .seconds(100), longest: .seconds(100), halving: .seconds(9999))),
        ]
        for take in takes {
            try await probe.expect([take], give: [.taken], "a first attempt")
            let named = Store.Take(take.key, take.allowance, takenAt: probe.now)
            probe.now = probe.now + .seconds(50)
            try await probe.store.keep([named], at: probe.now)
            try await probe.expect([take], give: [refused(probe, in: 100)], "an attempt that failed after 50 s")
            probe.now = probe.now + .seconds(70)
            try await probe.expect([take], give: [refused(probe, in: 30)], "70 s after an attempt has failed")
            try await probe.store.refund([], clearing: [take.key], at: probe.now)
            try await fail(take, &probe)
            try await probe.expect([take], give: [refused(probe, in: 100)], "a failure after the key was cleared")
            try await probe.store.refund([], clearing: [take.key], at: probe.now)
            // The next call comes from a server whose clock is 50 s behind.
            probe.now = probe.now - .seconds(50)
            try await fail(take, &probe)
            try await probe.expect([take], give: [refused(probe, in: 100)], "a failure 50 s before what was cleared")
        }
    }

    private static func leavesOutNoKey(_ probe: inout AttemptProbe) async throws {
        let all = (0..<40 as Range<UInt64>).map { take($0, 1) }
        let rest = all.dropLast()
        try await fail(all[39], &probe)
        try await probe.expect(all, give: [refused(probe)], "forty keys of which the last has no room")
        for one in rest { try await probe.expect([one], give: [.taken], "each key with room, after the refusal") }
        try await probe.store.keep(Array(rest), at: probe.now)
        for one in all { try await probe.expect([one], give: [refused(probe)], "each of forty keys that failed") }
        try await probe.store.refund([], clearing: all.map(\.key), at: probe.now)
        try await probe.expect(all, give: [.taken], "forty keys that were cleared")
        for one in all { try await probe.expect([one], give: [.inFlight], "each of forty keys that were taken") }
        try await probe.store.refund(all, clearing: [], at: probe.now)
        for one in all { try await probe.expect([one], give: [.taken], "each of forty keys that were given back") }
    }
}
