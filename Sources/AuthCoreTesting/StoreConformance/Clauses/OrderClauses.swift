import AuthCore

/// Clauses about changes and sweeps that name the same rows in other orders, of which each must end.
extension StoreClause {
    static let orders = [
        StoreClause("of changes that want the same in other orders one wins", oneOrderWins),
        StoreClause("changes that end the same in other orders do not wait for each other", endsDoNotLock),
        StoreClause("of two sweeps at once each counts what it removes", sweepsCountApart),
    ]

    /// Puts the parts of every other change in the opposite order.
    private static func ordered<Part>(_ parts: [Part], _ number: Int) -> [Part] {
        number % 4 > 1 ? parts.reversed() : parts
    }

    private static func oneOrderWins(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        for round in 0..<2 {
            let keys = try ["a", "b"].map { UniqueKey.primaryEmail(try StoreScene.email("\($0)\(round)@example.com")) }
            try await expectOneWinner(16, losers: .owner(keys[0]), .owner(keys[1]), in: &probe) { number, transaction in
                transaction.changes.keys = ordered(keys.map { KeyChange($0, from: nil, to: ann) }, number)
            }
            let new = try ["a", "b"].map { try StoreScene.bareAccount("\($0)\(round)", probe) }
            let ids = new.map(\.id)
            try await expectOneWinner(16, losers: .absent(ids[0]), .absent(ids[1]), in: &probe) { number, transaction in
                transaction.changes.accounts = ordered(new.map { .create($0) }, number)
            }
            let codes = (0..<2).map { _ in StoreScene.code(about: ann, &probe) }
            let records = codes.map { Store.Precondition.record($0.key) }
            try await expectOneWinner(16, losers: records[0], records[1], in: &probe) { number, transaction in
                transaction.changes.records = ordered(codes.map { .put($0) }, number)
            }
            try await expectOneWinner(16, losers: records[0], records[1], in: &probe) { number, transaction in
                transaction.changes.records = ordered(codes.map { .consume($0.key) }, number)
            }
            let sessions = (0..<2).map { _ in StoreScene.session(of: ann, &probe) }
            let rows = sessions.map { Store.Precondition.session($0.id) }
            try await expectOneWinner(16, losers: rows[0], rows[1], in: &probe) { number, transaction in
                transaction.changes.sessions = ordered(sessions.map { .put($0) }, number)
            }
        }
    }

    private static func endsDoNotLock(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let people = [scene.ann.id, scene.ben.id]
        let codes = (0..<8).map { StoreScene.code(about: people[$0 % 2], &probe) }
        let sessions = (0..<8).map { StoreScene.session(of: people[$0 % 2], &probe) }
        try await probe.commit("records and sessions of two accounts") { transaction in
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        let changes = (0..<16).map { number in
            var change = probe.transaction().changes
            change.records = ordered(people.map { .revokeAll($0, [.usedAssertion]) }, number)
            change.sessions = ordered(people.map { .endAll($0, except: nil) }, number)
            return change
        }
        let outcomes = try await race(changes, probe)
        let written = outcomes.count(where: \.isWritten)
        probe.expect(written, is: changes.count, "how many of the changes were written that end the same")
        for id in people {
            probe.expect(try await probe.sessions(of: id), is: [], "the sessions after the end of all")
            probe.expect(try await probe.records(of: id), is: [], "the records after the revocation of all")
        }
    }

    private static func sweepsCountApart(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let (count, now) = (40, probe.later(100))
        let sweep: @Sendable (any IdentityStore) async throws -> [Store.SweepReport] = { store in
            var reports: [Store.SweepReport] = []
            while reports.count < 2 * count, reports.last?.isComplete != true {
                reports.append(try await store.sweep(at: now, limit: 7))
                await Task.yield()
            }
            return reports
        }
        for _ in 0..<3 {
            let codes = (0..<count).map { StoreScene.code(about: ann, &probe, lasting: Double($0)) }
            let sessions = (0..<count).map { StoreScene.session(of: ann, &probe, lasting: Double($0)) }
            try await probe.commit("what expires") { transaction in
                transaction.changes.records = codes.map { .put($0) }
                transaction.changes.sessions = sessions.map { .put($0) }
            }
            let (store, other) = (probe.store, probe.other)
            async let first = sweep(store)
            async let second = sweep(other)
            // What each left to the other, since it was about to remove it.
            let reports = try await first + second + [store.sweep(at: now, limit: 1000)]
            // Sums of numbers that may be absurd.
            let records = reports.reduce(0) { $0 + Double($1.records) }
            let ended = reports.reduce(0) { $0 + Double($1.sessions) }
            probe.expect(records, is: Double(count), "how many records two sweeps removed")
            probe.expect(ended, is: Double(count), "how many sessions two sweeps removed")
        }
    }
}
