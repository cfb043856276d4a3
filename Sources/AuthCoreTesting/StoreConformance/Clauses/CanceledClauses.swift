import AuthCore

/// Clauses about calls whose task is canceled: what they answer, and what they leave behind.
extension StoreClause {
    static let canceled = [
        StoreClause("what a canceled call answers has been done", canceledAnswersAreTrue),
        StoreClause("calls that are canceled side by side hold up none after them", canceledCallsHoldUpNone),
    ]

    /// What a call answers that is canceled after this many turns; nil if it fails.
    private static func answer<Value: Sendable>(
        after turns: Int,
        _ call: @escaping @Sendable () async throws -> Value
    ) async -> Value? {
        let task = Task { try await call() }
        for _ in 0..<turns { await Task.yield() }
        task.cancel()
        return try? await task.value
    }

    private static func canceledAnswersAreTrue(_ probe: inout StoreProbe) async throws {
        for turns in 0..<24 {
            try await canceledCommitsAreThere(turns, &probe)
            try await canceledMessagesAreHandled(turns, &probe)
            try await canceledSweepsCount(turns, &probe)
        }
    }

    private static func canceledCommitsAreThere(_ turns: Int, _ probe: inout StoreProbe) async throws {
        let code = StoreScene.code(about: nil, &probe)
        var change = probe.transaction().changes
        change.records = [.put(code)]
        let (store, sent) = (probe.store, change)
        guard let outcome = await answer(after: turns, { try await store.commit(sent) }) else { return }
        probe.expect(outcome, is: .committed, "a change that is canceled")
        let found = try await probe.record(code.key)
        probe.expect(found, is: code, "a record whose commit was canceled and answered as written")
    }

    private static func canceledMessagesAreHandled(_ turns: Int, _ probe: inout StoreProbe) async throws {
        let messages = try (0..<4).map { _ in try StoreScene.message(&probe, leasedFor: 60) }
        try await probe.commit("messages") { $0.changes.messages = messages }
        let (store, now, end, ids) = (probe.store, probe.later(60), probe.later(120), messages.map(\.id))
        let isSettled = await answer(after: turns) { try await store.settleMessages([ids[0]]) } != nil
        let isGivenUp = await answer(after: turns) { try await store.endLease(of: ids[1], tries: 1, dueAt: nil) } != nil
        let leased = await answer(after: turns) { try await store.leaseMessages(at: now, until: end, limit: 10) } ?? []
        let again = try await store.leaseMessages(at: now, until: end, limit: 10).map(\.entry.id)
        let found = leased.map(\.entry.id) + again
        probe.expect(
            Set(found).count == found.count,
            "a message was leased twice at once, of which one lease was canceled and answered"
        )
        if isSettled {
            let isLeft = found.contains(ids[0])
            probe.expect(!isLeft, "a message is left whose settling was canceled and answered as done")
        }
        if isGivenUp {
            let failed = try await store.messages(.failed, after: nil, limit: 10).map(\.entry.id)
            let hasFailed = failed.contains(ids[1]) && !found.contains(ids[1])
            probe.expect(hasFailed, "a message waits whose end of a lease was canceled and answered as done")
        }
        try await store.settleMessages(ids)
    }

    private static func canceledSweepsCount(_ turns: Int, _ probe: inout StoreProbe) async throws {
        let code = StoreScene.code(about: nil, &probe, lasting: 10)
        let session = StoreScene.session(of: try StoreScene.id("ann"), &probe, lasting: 10)
        try await probe.commit("what expires") { transaction in
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(session)]
        }
        let (store, time) = (probe.store, probe.later(10))
        let first = await answer(after: turns) { try await store.sweep(at: time, limit: 10) }
        let rest = try await store.sweep(at: time, limit: 10)
        guard let first else { return }
        let counts = [first.records + rest.records, first.sessions + rest.sessions]
        probe.expect(counts, is: [1, 1], "what a sweep that was canceled and answered, and the next one, removed")
    }

    /// A call that waits for a connection or a lock and gives up takes none with it.
    private static func canceledCallsHoldUpNone(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        for turns in 0..<24 {
            let codes = (0..<6).map { _ in StoreScene.code(about: ann, &probe) }
            let changes = codes.map { code in
                var change = probe.transaction().changes
                change.records = [.put(code)]
                return change
            }
            let message = try StoreScene.message(&probe, leasedFor: 60)
            try await probe.commit("a message") { $0.changes.messages = [message] }
            let (store, now, end, id) = (probe.store, probe.now, probe.later(60), message.id)
            var calls = changes.map { change in Task { _ = try await store.commit(change) } }
            calls += [
                Task { _ = try await store.load([.account(ann)]) },
                Task { _ = try await store.leaseMessages(at: now, until: end, limit: 10) },
                Task { try await store.endLease(of: id, tries: 1, dueAt: end) },
                Task { try await store.settleMessages([id]) },
                Task { _ = try await store.sweep(at: now, limit: 10) },
                Task { _ = try await store.accounts(after: nil, limit: 10) },
                Task { _ = try await store.events(after: .start, limit: 10) },
                Task { _ = try await store.messages(.waiting, after: nil, limit: 10) },
            ]
            for _ in 0..<turns { await Task.yield() }
            for (place, call) in calls.enumerated() where (place + turns) % 3 != 0 { call.cancel() }
            for call in calls { _ = await call.result }
            for change in changes {
                let outcome = try await store.commit(change)
                probe.expect(outcome.isWritten, "a change, sent again after others were canceled: \(outcome)")
            }
            let found = try await probe.records(of: ann).count { record in codes.contains(record) }
            probe.expect(found, is: codes.count, "how many records are there after their commits were sent again")
            try await store.settleMessages([id])
        }
    }
}
