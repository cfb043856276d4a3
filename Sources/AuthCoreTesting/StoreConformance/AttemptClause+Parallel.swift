import AuthCore
import Synchronization

/// Clauses about ends and clearings that are made at the same time as other calls.
extension AttemptClause {
    static let parallel = [
        AttemptClause(name: "of parallel ends each counts once", check: endsAtomically),
        AttemptClause(name: "of parallel attempts and ends each counts once", check: takesAndEndsAtomically),
        AttemptClause(name: "a clearing loses no attempt that is taken meanwhile", check: clearsAtomically),
        AttemptClause(name: "a success that leaves no count loses no attempt beside it", check: emptiesAtomically),
        AttemptClause(name: "an attempt that is canceled counts under every key or none", check: countsCanceledWhole),
        AttemptClause(name: "an end that is canceled and answered has ended its attempt", check: countsCanceledEnds),
        AttemptClause(
            name: "of parallel attempts that count at once no more are taken than allowed",
            check: settlesAtomically
        ),
        AttemptClause(
            name: "attempts that name the same keys in other orders do not wait for each other",
            check: ordersDoNotLock
        ),
    ]

    /// Makes calls with these numbers at once.
    private static func atOnce(_ count: Int, _ call: @escaping @Sendable (Int) async throws -> Void) async throws {
        let start = StartingLine(runners: count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    await start.arrive()
                    try await call(number)
                }
            }
            try await group.waitForAll()
        }
    }

    /// The answers where this many attempts have room beside those in flight.
    private static func room(_ count: Int) -> [Store.TakeAnswer] {
        Array(repeating: .taken, count: count) + [.inFlight]
    }

    private static func endsAtomically(_ probe: inout AttemptProbe) async throws {
        // Four keys that a table of buckets may keep in one row.
        let takes = (0..<4 as Range<UInt64>).map { take($0 << 40, 30) }
        let (store, now) = (probe.store, probe.now)
        for _ in 0..<20 { try await probe.expect(takes, give: [.taken], "twenty attempts in flight") }
        try await atOnce(80) { number in
            let one = takes[number % 4]
            if number / 4 % 2 == 0 {
                try await store.keep([one], at: now)
            } else {
                try await store.refund([one], clearing: [], at: now)
            }
        }
        for one in takes {
            try await probe.expect([one], give: room(20), "after ten failures and ten successes at once")
        }
    }

    private static func takesAndEndsAtomically(_ probe: inout AttemptProbe) async throws {
        let (handles, now, one) = ([probe.store, probe.other], probe.now, take(1, 40))
        for _ in 0..<20 { try await probe.expect([one], give: [.taken], "twenty attempts in flight") }
        try await atOnce(30) { number in
            let handle = handles[number % 2]
            switch number % 3 {
            case 0: _ = try await handle.take([one], at: now)
            case 1: try await handle.keep([one], at: now)
            default: try await handle.refund([one], clearing: [], at: now)
            }
        }
        try await probe.expect([one], give: room(20), "after ten attempts, ten failures and ten successes at once")
        try await probe.store.refund([], clearing: [one.key], at: now)
        try await probe.expect([one], give: room(10), "after ten failures were cleared")
    }

    private static func countsCanceledWhole(_ probe: inout AttemptProbe) async throws {
        let (store, now) = (probe.store, probe.now)
        for yields in 0..<30 as Range<UInt64> {
            let takes = (0..<3 as Range<UInt64>).map { take(3 * yields + $0, 1, isSettled: true) }
            let attempt = Task { try await store.take(takes, at: now) }
            for _ in 0..<yields { await Task.yield() }
            attempt.cancel()
            let answer = try? await attempt.value
            var left: [Store.TakeAnswer] = []
            for take in takes { left.append(try await store.take([take], at: now)) }
            probe.expect(Set(left).count, is: 1, "how many answers keys give after a canceled attempt under all")
            if let answer { probe.expect(left.contains(answer), is: false, "a key has room after it was taken") }
        }
    }

    private static func countsCanceledEnds(_ probe: inout AttemptProbe) async throws {
        let (store, now) = (probe.store, probe.now)
        for turns in 0..<30 as Range<UInt64> {
            let (failed, succeeded) = (take(3 * turns, 1), take(3 * turns + 1, 1))
            let cleared = take(3 * turns + 2, 1, isSettled: true)
            try await probe.expect([failed], give: [.taken], "an attempt that fails")
            let failure = Task { try await store.keep([failed], at: now) }
            if await isAnswered(failure, after: turns) {
                let what = "after a failure that was canceled and answered"
                try await probe.expect([failed], give: [refused(probe)], what)
            }
            try await probe.expect([succeeded, cleared], give: [.taken], "an attempt that succeeds")
            let success = Task { try await store.refund([succeeded], clearing: [cleared.key], at: now) }
            if await isAnswered(success, after: turns) {
                let what = "after a success that was canceled and answered"
                try await probe.expect([succeeded, cleared], give: [.taken], what)
            }
        }
    }

    /// Whether a call is answered that is canceled after this many turns.
    private static func isAnswered(_ call: Task<Void, any Error>, after turns: UInt64) async -> Bool {
        for _ in 0..<turns { await Task.yield() }
        call.cancel()
        return (try? await call.value) != nil
    }

    private static func clearsAtomically(_ probe: inout AttemptProbe) async throws {
        let (store, other, now, one) = (probe.store, probe.other, probe.now, take(1, 40))
        try await fail(one, &probe)
        for _ in 0..<20 { try await probe.expect([one], give: [.taken], "twenty attempts in flight") }
        try await atOnce(20) { number in
            if number % 2 == 0 {
                _ = try await store.take([one], at: now)
            } else {
                try await other.refund([], clearing: [one.key], at: now)
            }
        }
        try await probe.expect([one], give: room(10), "with thirty in flight, ten of them taken beside clearings")
    }

    /// A row without a count may be removed, but not with what came since it was found empty.
    private static func emptiesAtomically(_ probe: inout AttemptProbe) async throws {
        let (store, other, now) = (probe.store, probe.other, probe.now)
        for key in 0..<20 as Range<UInt64> {
            let one = take(key, 2)
            try await probe.expect([one], give: [.taken], "the first attempt")
            try await atOnce(2) { number in
                if number == 0 {
                    try await store.refund([one], clearing: [], at: now)
                } else {
                    // Each time a little later, so that the two calls overlap in different ways.
                    for _ in 0..<3 * key { await Task.yield() }
                    _ = try await other.take([one], at: now)
                }
            }
            try await probe.expect([one], give: room(1), "with one in flight, taken while another succeeded")
        }
    }

    private static func settlesAtomically(_ probe: inout AttemptProbe) async throws {
        let (handles, now, one) = ([probe.store, probe.other], probe.now, take(1, 20, isSettled: true))
        let taken = Mutex(0)
        try await atOnce(40) { number in
            if try await handles[number % 2].take([one], at: now) == .taken { taken.withLock { $0 += 1 } }
        }
        probe.expect(taken.withLock { $0 }, is: 20, "attempts taken of forty at once")
        try await probe.expect([one], give: [refused(probe)], "after all of them")
    }

    private static func ordersDoNotLock(_ probe: inout AttemptProbe) async throws {
        let (handles, now) = ([probe.store, probe.other], probe.now)
        let takes = (1...4 as ClosedRange<UInt64>).map { take($0, 100) }
        let taken = Mutex(0)
        try await atOnce(40) { number in
            let (handle, own) = (handles[number % 2], number % 4 > 1 ? takes.reversed() : takes)
            if try await handle.take(own, at: now) == .taken { taken.withLock { $0 += 1 } }
            if number % 3 == 0 {
                try await handle.keep(own, at: now)
            } else {
                try await handle.refund(own, clearing: own.map(\.key), at: now)
            }
        }
        probe.expect(taken.withLock { $0 }, is: 40, "attempts taken of forty that had room")
    }
}
