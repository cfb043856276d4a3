@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show where an ID is used again, and where a database is opened again after an interruption.
extension Flaw {
    static let reused: [String: [Flaw]] = [
        "an ID that is used again names nothing of what it named before": keepsListsOfTheSwept + [keepsListsOfTheUsed],
        "an ID that is used again expires with the row that has it now": [keepsEndsOfTheUsed],
        "a commit that is interrupted is whole or not there after the store is opened again": [writesHalfAtItsStart],
        "what is due and what was read is known after the store is opened again": [followsAnotherRuleAfterAStart],
    ]

    /// Takes out of a list only what some moments remove.
    private static func lists(
        _ name: String,
        keeping list: @escaping @Sendable (inout PlainIndexes, _ before: PlainIndexes) -> Void,
        at isKept: @escaping @Sendable (IndexedStore.Moment) -> Bool
    ) -> Flaw {
        .indexes(name) { moment, indexes in
            let before = indexes
            indexes.follow(moment)
            if isKept(moment) { list(&indexes, before) }
        }
    }

    private static func isSweep(_ moment: IndexedStore.Moment) -> Bool {
        if case .swept = moment { true } else { false }
    }

    private static let keepsListsOfTheSwept = [
        lists("keeps swept records in lists", keeping: { $0.records.formUnion($1.records) }, at: isSweep),
        lists("keeps swept sessions in lists", keeping: { $0.sessions.formUnion($1.sessions) }, at: isSweep),
    ]

    private static let keepsListsOfTheUsed = lists(
        "keeps used records in lists",
        keeping: { $0.records.formUnion($1.records) },
        at: { !isSweep($0) }
    )

    private static let keepsEndsOfTheUsed = lists(
        "keeps the ends of used records",
        keeping: { $0.recordEnds.formUnion($1.recordEnds) },
        at: { !isSweep($0) }
    )

    /// A log of writes whose last entry has no end, and is carried out as far as it goes.
    private static let writesHalfAtItsStart = Flaw("writes half of an interrupted change at its start") {
        struct PowerLost: Error {}
        let whole = InMemoryIdentityStore(eventLimit: 1000)
        let end = Mutex<Int?>(nil)
        let torn = Mutex<ChangeSet?>(nil)
        let open = { @Sendable in
            var store = FlawedStore(whole: whole)
            store.onCommit = { changes, whole in
                let statements = end.withLock { end in
                    defer { end = nil }
                    return end
                }
                guard let statements, statements < 12 else { return try await whole.commit(changes) }
                if statements > 5 { torn.withLock { $0 = changes } }
                throw PowerLost()
            }
            return store
        }
        return StoreSubject(
            open: { open() },
            reopen: {
                let changes = torn.withLock { torn in
                    defer { torn = nil }
                    return torn
                }
                if let changes {
                    var half = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                    (half.accounts, half.keys) = (changes.accounts, changes.keys)
                    _ = try await whole.commit(half)
                }
                return open()
            },
            interrupt: { statements in end.withLock { $0 = statements } }
        )
    }

    private static let followsAnotherRuleAfterAStart = reopens("follows the rule of the first change after a start") {
        whole in
        let rule = Mutex<KeyRule?>(nil)
        var store = FlawedStore(whole: whole)
        store.onCommit = { changes, whole in
            let own = rule.withLock { rule in
                rule = rule ?? changes.keyRule
                return rule
            }
            if let own, let wanted = changes.keyRule, wanted != own { return .violated(.keyRule(own)) }
            var changes = changes
            changes.keyRule = nil
            return try await whole.commit(changes)
        }
        return store
    }
}
