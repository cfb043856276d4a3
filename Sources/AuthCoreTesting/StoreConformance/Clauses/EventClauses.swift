import AuthCore

extension StoreClause {
    static let events = [
        StoreClause("events are numbered without gaps, in order", eventsAreNumbered),
        StoreClause("events are read in pages", eventsArePaged),
        StoreClause("a commit answers with the end of the log", commitAnswersWithTheEnd),
    ]

    /// Writes seven events in three commits.
    private static func write(_ probe: inout StoreProbe) async throws -> [IdentityEvent.Kind] {
        let kinds: [IdentityEvent.Kind] = [
            .accountCreated, .signedIn, .profileChanged, .signedOut, .signedIn, .claimsChanged, .accountDisabled,
        ]
        for part in [kinds[0..<1], kinds[1..<4], kinds[4..<7]] {
            try await probe.commit("events") { transaction in
                for kind in part { transaction.event(kind, "ann", by: .system) }
            }
        }
        return kinds
    }

    private static func eventsAreNumbered(_ probe: inout StoreProbe) async throws {
        let kinds = try await write(&probe)
        let page = try await probe.store.events(after: 0, limit: 100)
        probe.expect(page.events.map(\.sequence), is: Array(1...UInt64(kinds.count)), "the positions of the events")
        probe.expect(page.events.map(\.kind), is: kinds, "the events")
        probe.expect(page.oldest, is: 1, "the oldest position")
    }

    private static func eventsArePaged(_ probe: inout StoreProbe) async throws {
        let count = UInt64(try await write(&probe).count)
        var read: [UInt64] = []
        while true {
            let page = try await probe.store.events(after: read.last ?? 0, limit: 3)
            probe.expect(page.events.count <= 3, "a page of \(page.events.count) events where 3 were asked for")
            guard let last = page.events.last, last.sequence > read.last ?? 0 else { break }
            read += page.events.map(\.sequence)
        }
        probe.expect(read, is: Array(1...count), "the positions read page by page")
        for (after, limit) in [(count, 5), (count + 100, 5), (0, 0), (.max, 1)] {
            let page = try await probe.store.events(after: after, limit: limit)
            probe.expect(page.events.isEmpty, "events after \(after), at most \(limit)")
        }
    }

    private static func commitAnswersWithTheEnd(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.nobody("ann", probe)
        probe.expect(try await probe.commit("an account") { $0.insert(ann) }, is: 0, "the answer before any event")
        let two = try await probe.commit("two events") { transaction in
            transaction.event(.signedIn, ann.id, by: .unauthenticated)
            transaction.event(.signedOut, ann.id, by: .unauthenticated)
        }
        probe.expect(two, is: 2, "the answer for two events")
        let code = StoreScene.code(about: nil, &probe)
        let none = try await probe.commit("no event") { $0.changes.records.append(.put(code)) }
        probe.expect(none, is: 2, "the answer for a change without events")
    }
}
