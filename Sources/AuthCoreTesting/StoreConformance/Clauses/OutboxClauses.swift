import AuthCore

extension StoreClause {
    static let outbox = [
        StoreClause("a message is leased by one caller at a time", leasesExclude),
        StoreClause("messages are leased in the order in which they are due", leasesAreInOrder),
        StoreClause("a message whose lease ends is due again, or has failed", leasesEnd),
        StoreClause("a message that was leased again is not touched by an earlier lease", earlierLeasesAreOver),
        StoreClause("a message is leased however often", leasesAreCountedOn),
        StoreClause("a settled message is gone", settledMessagesAreGone),
        StoreClause("a message outlives the record and the account that it names", messagesStandAlone),
        StoreClause("messages are listed by status, in pages", messagesAreListed),
    ]

    private static func messagesStandAlone(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let entry = try StoreScene.message(&probe, leasedFor: lease, to: scene.ann.id)
        let code = scene.code.under(entry.record)
        try await probe.commit("a message with a code") { transaction in
            transaction.changes.records = [.put(code)]
            transaction.changes.messages = [entry]
        }
        try await probe.commit("revoking the code") {
            $0.changes.records = [.revokeAll(scene.ann.id, [.usedAssertion])]
        }
        probe.expect(
            try await probe.messageCount(on: probe.store),
            is: 1,
            "how many messages wait once the code is gone"
        )
        try await probe.commit("a removal") { $0.remove(scene.ann) }
        _ = try await probe.store.sweep(at: probe.later(1), limit: 100)
        let listed = try await probe.store.messages(.waiting, after: nil, limit: 10)
        probe.expect(listed.map(\.entry), is: [entry], "the messages once the account is gone")
        try await probe.store.settleMessages([entry.id, entry.id])
        probe.expect(try await probe.messageCount(on: probe.store), is: 0, "how many messages wait once it was settled")
    }

    private static let lease = 60.0

    /// Messages that were committed together and are leased for the first time for a minute.
    private static func committed(_ count: Int, _ probe: inout StoreProbe) async throws -> [OutboxEntry] {
        let messages = try (0..<count).map { _ in try StoreScene.message(&probe, leasedFor: lease) }
        try await probe.commit("\(count) messages") { $0.changes.messages += messages }
        return messages
    }

    private static func lease(
        _ probe: StoreProbe,
        at seconds: Double,
        for lease: Double = lease,
        limit: Int = 10
    ) async throws -> [Store.QueuedMessage] {
        let (now, end) = (probe.later(seconds), probe.later(seconds + lease))
        return try await probe.store.leaseMessages(at: now, until: end, limit: limit)
    }

    /// Leases messages of which several are due at the same time, in the order of their IDs.
    private static func leaseSome(_ probe: StoreProbe, at seconds: Double) async throws -> [Store.QueuedMessage] {
        try await lease(probe, at: seconds).sorted { $0.entry.id < $1.entry.id }
    }

    private static func leasesExclude(_ probe: inout StoreProbe) async throws {
        let messages = try await committed(2, &probe).sorted { $0.id < $1.id }
        probe.expect(try await lease(probe, at: 59), is: [], "messages that are leased by the writer")
        let due = messages.map { Store.QueuedMessage($0, tries: 2, dueAt: probe.later(120)) }
        probe.expect(try await leaseSome(probe, at: 60), is: due, "messages that the writer did not send")
        probe.expect(try await lease(probe, at: 60), is: [], "messages that were leased at the same time")
        probe.expect(try await lease(probe, at: 119), is: [], "messages that are still leased")
        let again = messages.map { Store.QueuedMessage($0, tries: 3, dueAt: probe.later(180)) }
        probe.expect(try await leaseSome(probe, at: 120), is: again, "messages whose lease ran out")
    }

    private static func leasesAreInOrder(_ probe: inout StoreProbe) async throws {
        let late = try StoreScene.message(&probe, leasedFor: 30)
        let early = try StoreScene.message(&probe, leasedFor: 10)
        let middle = try StoreScene.message(&probe, leasedFor: 20)
        try await probe.commit("a message") { $0.changes.messages = [late] }
        try await probe.commit("two messages that are due before it") { $0.changes.messages = [early, middle] }
        probe.expect(try await lease(probe, at: 40, limit: 0), is: [], "no messages")
        let first = try await lease(probe, at: 40, limit: 2).map(\.entry.id)
        probe.expect(first, is: [early.id, middle.id], "the two that are due longest")
        probe.expect(try await lease(probe, at: 40).map(\.entry.id), is: [late.id], "the other one")
        try await probe.store.endLease(of: late.id, tries: 2, dueAt: probe.later(50))
        try await probe.store.endLease(of: early.id, tries: 2, dueAt: probe.later(70))
        let again = try await lease(probe, at: 200).map(\.entry.id)
        probe.expect(again, is: [late.id, early.id, middle.id], "the messages in the order of their next tries")
    }

    private static func leasesEnd(_ probe: inout StoreProbe) async throws {
        let messages = try await committed(3, &probe)
        _ = try await lease(probe, at: 60)
        try await probe.store.endLease(of: messages[0].id, tries: 2, dueAt: probe.later(90))
        try await probe.store.endLease(of: messages[1].id, tries: 2, dueAt: nil)
        probe.expect(try await lease(probe, at: 89), is: [], "messages before their next try")
        let due = [Store.QueuedMessage(messages[0], tries: 3, dueAt: probe.later(150))]
        probe.expect(try await lease(probe, at: 90, limit: 1), is: due, "the message that is tried again")
        let failed = [Store.QueuedMessage(messages[1], tries: 2, dueAt: nil)]
        let listed = try await probe.store.messages(.failed, after: nil, limit: 10)
        probe.expect(listed, is: failed, "the message that was given up")
        try await probe.store.endLease(of: messages[1].id, tries: 2, dueAt: probe.later(90))
        let later = try await lease(probe, at: 10_000).map(\.entry.id)
        probe.expect(Set(later), is: [messages[0].id, messages[2].id], "the messages that were not given up")
    }

    private static func earlierLeasesAreOver(_ probe: inout StoreProbe) async throws {
        let message = try await committed(1, &probe)[0]
        _ = try await lease(probe, at: 60)
        _ = try await lease(probe, at: 120)
        try await probe.store.endLease(of: message.id, tries: 2, dueAt: nil)
        try await probe.store.endLease(of: message.id, tries: 2, dueAt: probe.later(130))
        probe.expect(try await lease(probe, at: 179), is: [], "a message that another caller has leased")
        probe.expect(try await lease(probe, at: 180).map(\.tries), is: [4], "the tries of the message")
    }

    private static func leasesAreCountedOn(_ probe: inout StoreProbe) async throws {
        let message = try await committed(1, &probe)[0]
        // More often than a number of eight bits can tell.
        for tries in 2...260 {
            let due = [Store.QueuedMessage(message, tries: tries, dueAt: probe.later(lease * Double(tries)))]
            let leased = try await lease(probe, at: lease * Double(tries - 1))
            probe.expect(leased, is: due, "the message that is leased for the time number \(tries)")
            if leased != due { break }
        }
    }

    private static func settledMessagesAreGone(_ probe: inout StoreProbe) async throws {
        let messages = try await committed(5, &probe).sorted { $0.id < $1.id }
        let store = probe.store
        // A message and the code in it end apart.
        let template = StoreScene.code(about: nil, &probe)
        let codes = messages[..<2].map { template.under($0.record) }
        try await probe.commit("the codes in two messages") { $0.changes.records = codes.map { .put($0) } }
        try await probe.commit("the use of one") { $0.changes.records = [.consume(codes[1].key)] }
        let unknown = OperationID(bits: probe.draw())
        try await store.settleMessages([messages[0].id, unknown, messages[3].id])
        try await store.settleMessages([])
        let left = [messages[1], messages[2], messages[4]]
        probe.expect(try await leaseSome(probe, at: 60).map(\.entry), is: left, "the messages after two were settled")
        try await store.endLease(of: messages[2].id, tries: 2, dueAt: nil)
        try await store.settleMessages([messages[1].id, messages[2].id])
        try await store.endLease(of: messages[1].id, tries: 2, dueAt: probe.later(70))
        probe.expect(try await lease(probe, at: 200).map(\.entry), is: [messages[4]], "the message that is left")
        let failed = try await store.messages(.failed, after: nil, limit: 10)
        probe.expect(failed, is: [], "failed messages, once they were settled")
        probe.expect(try await probe.record(codes[0].key), is: codes[0], "the code in a message that was settled")
    }

    private static func messagesAreListed(_ probe: inout StoreProbe) async throws {
        let messages = try await committed(4, &probe).sorted { $0.id < $1.id }
        _ = try await lease(probe, at: 60)
        let store = probe.store
        for message in messages[..<3] { try await store.endLease(of: message.id, tries: 2, dueAt: nil) }
        let failed = messages[..<3].map { Store.QueuedMessage($0, tries: 2, dueAt: nil) }
        let waiting = [Store.QueuedMessage(messages[3], tries: 2, dueAt: probe.later(120))]
        probe.expect(try await store.messages(.waiting, after: nil, limit: 10), is: waiting, "the waiting message")
        probe.expect(
            try await store.messages(.failed, after: nil, limit: 2),
            is: Array(failed[..<2]),
            "two that failed"
        )
        let rest = try await store.messages(.failed, after: messages[1].id, limit: 10)
        probe.expect(rest, is: [failed[2]], "the failed message after those")
        probe.expect(try await store.messages(.failed, after: nil, limit: 0), is: [], "no messages")
    }
}
