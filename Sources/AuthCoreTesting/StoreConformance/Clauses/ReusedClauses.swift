import AuthCore

/// Clauses about an ID that is used again for something else, once what it named has ended.
extension StoreClause {
    static let reused = [
        StoreClause("an ID that is used again names nothing of what it named before", reusedIDsBelongToTheNext),
        StoreClause("an ID that is used again expires with the row that has it now", reusedIDsExpireAnew),
    ]

    private static func reusedIDsBelongToTheNext(_ probe: inout StoreProbe) async throws {
        let (ann, ben) = (try StoreScene.id("ann"), try StoreScene.id("ben"))
        for end in Ending.allCases {
            let code = StoreScene.code(about: ann, &probe, lasting: 10)
            let session = StoreScene.session(of: ann, &probe, lasting: 10)
            try await expectReuse(of: code, session, after: end, by: ben, &probe)
            let what = "after an ID that was \(end) is another account's"
            probe.expect(try await probe.records(of: ann), is: [], "the records of the first account \(what)")
            probe.expect(try await probe.rows(of: ann), is: [], "the sessions of the first account \(what)")
            // What ends for the first account is not that of the second.
            try await probe.commit("the end of all for the first account") { transaction in
                transaction.changes.records = [.revokeAll(ann, Store.OneTimeRecord.Purpose.allCases)]
                transaction.changes.sessions = [.endAll(ann, except: nil)]
            }
            let (records, sessions) = (
                try await probe.records(of: ben, .lostFactors), try await probe.sessions(of: ben)
            )
            probe.expect(records.map(\.key), is: [code.key], "the records of the second account \(what)")
            probe.expect(sessions, is: [session.id], "the sessions of the second account \(what)")
            try await probe.commit("the end of all for the second account") { transaction in
                transaction.changes.records = [.revokeAll(ben, [.lostFactors])]
                transaction.changes.sessions = [.endAll(ben, except: nil)]
            }
        }
    }

    private static func reusedIDsExpireAnew(_ probe: inout StoreProbe) async throws {
        let (ann, ben) = (try StoreScene.id("ann"), try StoreScene.id("ben"))
        for end in Ending.allCases {
            let code = StoreScene.code(about: ann, &probe, lasting: 10)
            let session = StoreScene.session(of: ann, &probe, lasting: 10)
            try await expectReuse(of: code, session, after: end, by: ben, &probe)
            let early = try await probe.store.sweep(at: probe.later(99), limit: 10)
            probe.expect(early, is: .init(), "a sweep before the second row expires whose ID was \(end)")
            let late = try await probe.store.sweep(at: probe.later(100), limit: 10)
            probe.expect(late, is: .init(records: 1, sessions: 1), "a sweep of the rows whose IDs were \(end) before")
        }
    }

    /// How a row ends whose ID is used again.
    private enum Ending: CaseIterable {
        case usedUp, endedWithOthers, swept
    }

    /// Writes a record and a session, ends them, and gives their IDs to rows of another account that last longer.
    private static func expectReuse(
        of code: OneTimeRecord,
        _ session: Session,
        after end: Ending,
        by account: AccountID,
        _ probe: inout StoreProbe
    ) async throws {
        try await probe.commit("a record and a session") { transaction in
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(session)]
        }
        switch end {
        case .usedUp:
            try await probe.commit("their use and end") { transaction in
                transaction.changes.records = [.consume(code.key)]
                transaction.changes.sessions = [.end(session.id)]
            }
        case .endedWithOthers:
            try await probe.commit("the end of all of their kind") { transaction in
                transaction.changes.records = [.revokeAll(session.account, [code.purpose])]
                transaction.changes.sessions = [.endAll(session.account, except: nil)]
            }
        case .swept:
            let report = try await probe.store.sweep(at: probe.later(10), limit: 10)
            probe.expect(report, is: .init(records: 1, sessions: 1), "a sweep of a record and a session")
        }
        let nextCode = OneTimeRecord(
            key: code.key,
            account: account,
            createdAt: code.createdAt,
            expiresAt: probe.later(100),
            content: .lostFactors
        )
        var nextSession = StoreScene.session(of: account, &probe, lasting: 100).under(session.id)
        nextSession.activeAt = probe.later(1)
        let next = nextSession
        try await probe.commit("another record and session of the same IDs") { transaction in
            transaction.changes.records = [.put(nextCode)]
            transaction.changes.sessions = [.put(next)]
        }
        probe.expect(try await probe.record(code.key), is: nextCode, "the record that has the ID now")
        probe.expect(try await probe.session(session.id), is: next, "the session that has the ID now")
    }
}
