import AuthCore

/// Clauses about records of every purpose: a merge has records that never expire, and a visit to a provider has others
/// that anyone can make.
extension StoreClause {
    static let purposes = [
        StoreClause("a record is swept by its time, whatever it is for", sweepsEveryPurpose),
        StoreClause("a record is put where none is, whatever it is for", putsEveryPurpose),
    ]

    /// A record of each content about the account, with this end.
    private static func records(
        about account: AccountID,
        until end: Timestamp?,
        _ probe: inout StoreProbe
    ) throws -> [OneTimeRecord] {
        try StoreSamples().records(about: account, &probe).map { record in
            OneTimeRecord(
                key: record.key,
                account: account,
                createdAt: probe.now,
                expiresAt: end,
                content: record.content
            )
        }
    }

    private static func sweepsEveryPurpose(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let ending = try records(about: ann, until: probe.later(10), &probe)
        let lasting = try records(about: ann, until: nil, &probe)
        let all = ending + lasting
        try await probe.commit("records of every purpose") { $0.changes.records = all.map { .put($0) } }
        for (time, expired) in [(probe.later(9.999), 0), (probe.later(10), ending.count), (.distantFuture, 0)] {
            let report = try await probe.store.sweep(at: time, limit: 1000)
            probe.expect(report, is: Store.SweepReport(records: expired), "a sweep of records of every purpose")
            let seen = try await probe.store.load(Lookups(distinct: all.map { .record($0.key) })).parts
            let left = expired == 0 && time < probe.later(10) ? all : lasting
            for record in all {
                let isThere = seen[.record(record.key)]?.record(record.key) == record
                let isLeft = left.contains { $0.key == record.key }
                let place = isThere ? "there" : "gone, or changed"
                probe.expect(isThere == isLeft, "a record for \(record.purpose) is \(place) after a sweep at \(time)")
            }
        }
    }

    private static func putsEveryPurpose(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        var purposes: Set<OneTimeRecord.Purpose> = []
        let written = try records(about: ann, until: nil, &probe).filter { purposes.insert($0.purpose).inserted }
        try await probe.commit("a record of each purpose") { $0.changes.records = written.map { .put($0) } }
        for record in written {
            try await probe.refuse("a second put of a record for \(record.purpose)", .record(record.key)) {
                $0.changes.records = [.put(StoreScene.moved(record, to: "stranger"))]
            }
            probe.expect(try await probe.record(record.key), is: record, "a record after a second put was refused")
        }
    }
}
