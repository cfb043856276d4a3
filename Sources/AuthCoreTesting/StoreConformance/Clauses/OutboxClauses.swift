import AuthCore

extension StoreClause {
    static let outbox = [
        StoreClause("messages wait in order until they are settled", messagesWait)
    ]

    private static func messagesWait(_ probe: inout StoreProbe) async throws {
        let messages = try (0..<5).map { _ in try StoreScene.message(&probe) }
        try await probe.commit("two messages") { $0.changes.messages += messages[..<2] }
        try await probe.commit("three messages") { $0.changes.messages += messages[2...] }
        let store = probe.store
        probe.expect(try await store.pendingMessages(limit: 10), is: messages, "the messages")
        probe.expect(try await store.pendingMessages(limit: 2), is: Array(messages[..<2]), "the first two messages")
        probe.expect(try await store.pendingMessages(limit: 0), is: [], "no messages")
        let unknown = OperationID(bits: probe.draw())
        try await store.settleMessages([messages[0].id, unknown, messages[3].id])
        let left = [messages[1], messages[2], messages[4]]
        probe.expect(try await store.pendingMessages(limit: 10), is: left, "the messages after two were settled")
        try await store.settleMessages([messages[0].id])
        try await store.settleMessages([])
        probe.expect(try await store.pendingMessages(limit: 10), is: left, "the messages after settling one again")
    }
}
