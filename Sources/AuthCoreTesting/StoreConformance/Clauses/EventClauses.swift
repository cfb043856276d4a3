import AuthCore

extension StoreClause {
    static let events = [
        StoreClause("events are in the order in which they were written", eventsAreOrdered),
        StoreClause("events are read in pages", eventsArePaged),
        StoreClause("the end of the log is before every later event", theEndIsTheEnd),
        StoreClause("a reader of the whole log stays at its end", readersStayAtTheEnd),
        StoreClause("a store places events itself, wherever they were", eventsArePlacedAnew),
        StoreClause("the log keeps what the store says, and says what it removed", retentionHolds),
        StoreClause("the log keeps all that it must", logsAreKept),
    ]

    /// Writes seven events in three commits.
    private static func write(_ probe: inout StoreProbe) async throws -> [IdentityEvent.Kind] {
        let kinds: [IdentityEvent.Kind] = [
            .accountCreated, .signedIn, .profileChanged, .signedOut, .signedIn, .claimsChanged, .accountDisabled,
        ]
        try probe.requireLog(of: kinds.count)
        for part in [kinds[0..<1], kinds[1..<4], kinds[4..<7]] {
            try await probe.commit("events") { transaction in
                for kind in part { transaction.event(kind, "ann", by: .system) }
            }
        }
        return kinds
    }

    private static func eventsAreOrdered(_ probe: inout StoreProbe) async throws {
        let kinds = try await write(&probe)
        let page = try await probe.store.events(after: .start, limit: 100)
        let positions = page.events.map(\.position)
        probe.expect(page.events.map(\.kind), is: kinds, "the events")
        probe.expect(zip([.start] + positions, positions).allSatisfy { $0 < $1 }, "positions do not grow: \(positions)")
        probe.expect(page.removed, is: .start, "the position up to which events were removed")
    }

    private static func eventsArePaged(_ probe: inout StoreProbe) async throws {
        let kinds = try await write(&probe)
        var read: [IdentityEvent] = []
        while true {
            let page = try await probe.store.events(after: read.last?.position ?? .start, limit: 3)
            probe.expect(page.events.count <= 3, "a page of \(page.events.count) events where 3 were asked for")
            guard let last = page.events.last?.position, last > read.last?.position ?? .start else { break }
            read += page.events
        }
        probe.expect(read.map(\.kind), is: kinds, "the events read page by page")
        let cut = try await probe.store.events(after: .start, limit: 3)
        probe.expect(cut.end >= read.last?.position ?? .start, "a page that is cut ends the log before its last event")
        let end = try await probe.store.events(after: .start, limit: 0).end
        let farAway = IdentityEvent.Position(incarnation: .max, transaction: .max, number: .max)
        for (after, limit) in [(end, 5), (.start, 0), (farAway, 1)] {
            let page = try await probe.store.events(after: after, limit: limit)
            probe.expect(page.events.isEmpty, "events after \(after), at most \(limit)")
        }
    }

    private static func theEndIsTheEnd(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 2)
        let ann = try StoreScene.bareAccount("ann", probe)
        try await probe.commit("an account") { $0.insert(ann) }
        for round in 1...3 {
            let before = try await probe.store.events(after: .start, limit: 0).end
            let farAway = IdentityEvent.Position(incarnation: .max, transaction: .max, number: .max)
            let beyond = try await probe.store.events(after: farAway, limit: 1).end
            try await probe.commit("two events") { transaction in
                transaction.event(.signedIn, ann.id, by: .unauthenticated)
                transaction.event(.signedOut, ann.id, by: .unauthenticated)
            }
            let code = StoreScene.code(about: nil, &probe)
            try await probe.commit("no event") { $0.changes.records.append(.put(code)) }
            let page = try await probe.store.events(after: before, limit: 10)
            probe.expect(page.events.map(\.kind), is: [.signedIn, .signedOut], "the events after end \(round)")
            let last = page.events.last?.position ?? .start
            probe.expect(page.end >= last, "the log ends at \(page.end), before its last event \(last)")
            let next = try await probe.store.events(after: beyond, limit: 10)
            let kinds = next.events.map(\.kind)
            probe.expect(kinds, is: [.signedIn, .signedOut], "the events after the end that was told beyond the log")
        }
    }

    private static func readersStayAtTheEnd(_ probe: inout StoreProbe) async throws {
        let kinds = try await write(&probe)
        var (position, read) = (IdentityEvent.Position.start, [IdentityEvent.Kind]())
        for _ in 0..<4 {
            let page = try await probe.store.events(after: position, limit: 100)
            read += page.events.map(\.kind)
            probe.expect(page.end >= position, "the log ends at \(page.end), before a reader at \(position)")
            position = page.end
        }
        probe.expect(read, is: kinds, "what a reader saw who went on from the end of the log each time")
    }

    /// As where events of another log are written anew.
    private static func eventsArePlacedAnew(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 3)
        let places: [UInt64] = [.max - 1, 1, 0]
        for place in places {
            let position = IdentityEvent.Position(incarnation: place, transaction: place, number: place)
            let time = probe.later(Double(place % 7))
            let event = IdentityEvent(.signedIn, at: time, account: "ann", actor: .system, reasons: [])
                .placed(at: position)
            try await probe.commit("an event with a position") { $0.changes.events = [event] }
        }
        let page = try await probe.store.events(after: .start, limit: 10)
        let times = places.map { probe.later(Double($0 % 7)) }
        probe.expect(page.events.map(\.at), is: times, "the events, in the order in which they were written")
        let positions = page.events.map(\.position)
        probe.expect(zip([.start] + positions, positions).allSatisfy { $0 < $1 }, "positions do not grow: \(positions)")
    }

    /// Events with times of their own, in changes of up to a hundred, each at the time of its last.
    private static func eventChanges(
        _ count: Int,
        over duration: Duration,
        isBackwards: Bool = false,
        _ probe: inout StoreProbe
    ) -> [ChangeSet] {
        let events = (0..<count).map { number in
            IdentityEvent(
                .signedIn,
                at: probe.now + duration * (isBackwards ? count - number : number) / count,
                account: "ann",
                actor: .system,
                reasons: []
            )
        }
        return stride(from: 0, to: count, by: 100).map { first in
            let part = Array(events[first..<min(first + 100, count)])
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: part[part.count - 1].at)
            change.events = part
            return change
        }
    }

    private static func logsAreKept(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 1)
        var (count, duration) = (3000, Duration.seconds(86_400 * 365))
        switch probe.store.retention.events {
        case .all: break
        case .newest(let limit): count = min(count, limit)
        case .lasting(let limit): duration = limit
        }
        let changes = eventChanges(count, over: duration, &probe)
        for change in changes { try await probe.commit("events", change) }
        _ = try await probe.store.sweep(at: changes[changes.count - 1].at, limit: 10)
        let page = try await probe.store.events(after: .start, limit: count + 1)
        let times = changes.flatMap(\.events).map(\.at)
        probe.expect(page.events.count, is: count, "how many of as many events are kept")
        probe.expect(page.events.map(\.at) == times, "the events are others than those that were written")
        probe.expect(page.removed, is: .start, "the position up to which events were removed")
    }

    /// Writes so many events, or such old ones, that the log removes some of them, if it removes any.
    static func overrun(_ probe: inout StoreProbe) async throws {
        switch probe.store.retention.events {
        case .newest(let count) where count <= 2000:
            for change in eventChanges(3 * count + 700, over: .seconds(60), &probe) {
                try await probe.commit("events", change)
            }
        case .lasting(let duration): try await writeApart(by: duration * 3, &probe)
        case .all, .newest: break
        }
    }

    private static func retentionHolds(_ probe: inout StoreProbe) async throws {
        if case .lasting(let duration) = probe.store.retention.events {
            return try await removalIsTold(after: duration, &probe)
        }
        guard case .newest(let count) = probe.store.retention.events, 0 < count, count <= 2000 else {
            throw NotApplicable()
        }
        // The later an event is written, the earlier is its time, which does not count.
        let changes = eventChanges(3 * count + 700, over: .seconds(60), isBackwards: true, &probe)
        var read: [IdentityEvent] = []
        for change in changes {
            try await probe.commit("events", change)
            // A sweep may remove what the log need not keep, and nothing more.
            _ = try await probe.store.sweep(at: change.at, limit: 10)
            // A reader who is up to date misses none of what the log must keep, whenever it removes others.
            let new = try await probe.store.events(after: read.last?.position ?? .start, limit: 101).events
            let written = change.events.suffix(count).map(\.at)
            probe.expect(new.suffix(written.count).map(\.at) == written, "the newest events are others")
            read += new
            let first = read.count - count
            if first > 0 {
                let oldest = try await probe.store.events(after: read[first - 1].position, limit: 1).events
                probe.expect(oldest == [read[first]], "fewer than the newest \(count) of \(read.count) events are kept")
            }
        }
        let page = try await probe.store.events(after: .start, limit: read.count)
        probe.expect(page.events == read.suffix(page.events.count), "the events that are kept are not the newest")
        probe.expect(page.events.count >= count, "\(page.events.count) events are kept, and \(count) were promised")
        let half = page.events.dropFirst(page.events.count / 2)
        let rest = try await probe.store.events(after: half.first?.position ?? .start, limit: read.count).events
        probe.expect(rest == Array(half.dropFirst()), "the events from the middle of the log on are others")
        let first = page.events.first?.position ?? .start
        let isTold = page.removed > .start && page.removed < first
        probe.expect(
            isTold || page.events.count == read.count,
            "the log says that it removed what is up to \(page.removed)"
        )
        try await slowReadersAreTold(&probe)
    }

    /// A reader who falls behind finds the next event, or learns that it was removed.
    private static func slowReadersAreTold(_ probe: inout StoreProbe) async throws {
        let start = try await probe.store.events(after: .start, limit: 0).end
        let events = eventChanges(3000, over: .seconds(6000), &probe)
        let numbers = Dictionary(events.flatMap(\.events).enumerated().map { ($1.at, $0) }) { first, _ in first }
        let (store, other) = (probe.store, probe.other)
        var (position, next, isTold) = (start, 0, true)
        try await whileWriting(events, to: store) { turns in
            turns.begin()
            let page = try await other.events(after: position, limit: 3)
            guard let first = page.events.first, let last = page.events.last else { return true }
            if numbers[first.at] != next, page.removed <= position { isTold = false }
            (position, next) = (last.position, numbers[last.at].map { $0 + 1 } ?? 0)
            return isTold
        }
        probe.expect(isTold, "a reader was not told of events that were removed before it had read them")
    }

    /// Writes one event, and another so much later, and sweeps.
    private static func writeApart(by duration: Duration, _ probe: inout StoreProbe) async throws {
        for time in [probe.now, probe.now + duration] {
            var changes = ChangeSet(operation: OperationID(bits: probe.draw()), at: time)
            changes.events = [IdentityEvent(.signedIn, at: time, account: "ann", actor: .system, reasons: [])]
            try await probe.commit("an event at \(time)", changes)
        }
        _ = try await probe.store.sweep(at: probe.now + duration, limit: 10)
    }

    private static func removalIsTold(after duration: Duration, _ probe: inout StoreProbe) async throws {
        try await writeApart(by: duration * 3, &probe)
        let page = try await probe.store.events(after: .start, limit: 10)
        probe.expect(page.events.last?.at, is: probe.now + duration * 3, "the time of the last event")
        let first = page.events.first?.position ?? .start
        let isTold = page.removed > .start && page.removed < first
        probe.expect(isTold || page.events.count == 2, "the log says that it removed what is up to \(page.removed)")
        // Nothing may be left of the log, and it goes on where it was.
        let later = probe.now + duration * 9
        _ = try await probe.store.sweep(at: later, limit: 10)
        let empty = try await probe.store.events(after: .start, limit: 10)
        probe.expect(empty.end >= page.end, "the log ends at \(empty.end), and ended at \(page.end)")
        var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: later)
        change.events = [IdentityEvent(.signedOut, at: later, account: "ann", actor: .system, reasons: [])]
        try await probe.commit("an event after all others were removed", change)
        for position in [page.events.last?.position ?? .start, page.end, empty.end] {
            let next = try await probe.store.events(after: position, limit: 10)
            probe.expect(next.events.map(\.kind), is: [.signedOut], "the events after those that were removed")
            probe.expect(next.end >= empty.end, "the log ends at \(next.end), and ended at \(empty.end)")
        }
    }
}
