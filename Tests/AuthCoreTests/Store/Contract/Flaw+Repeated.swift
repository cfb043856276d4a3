@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of changes that name one row twice, or name rows in an order that others do not have.
extension Flaw {
    static let repeated: [String: [Flaw]] = [
        "each of two preconditions about one row must hold": looksAtOneOfTwo,
        "what holds is written however often a change names it": countsRepetitions,
        "what a change writes does not fulfill its own preconditions": fulfillsByItself,
        "a row that a change writes twice is left as it was written last": writesInOtherOrders,
        "changes that name the same rows in other orders do not wait for each other": [locksInOrder],
    ]

    /// Refuses what is named a second time.
    private static func refuses<Part: Hashable & Sendable>(
        _ what: String,
        twice parts: @escaping @Sendable (ChangeSet) -> [(Part, Store.Precondition)]
    ) -> Flaw {
        .wraps("refuses \(what)") { store in
            store.onCommit = { changes, whole in
                var seen: Set<Part> = []
                for (part, precondition) in parts(changes) where !seen.insert(part).inserted {
                    return .violated(precondition)
                }
                return try await whole.commit(changes)
            }
        }
    }

    private static let countsRepetitions: [Flaw] = [
        refuses("an account that was read twice") { $0.reads.map { ($0.id, .version($0.id)) } },
        refuses("a list that was read twice") { $0.referenceReads.map { ($0.email, .references($0.email)) } },
        refuses("a key that is expected twice") { $0.keys.map { ($0.key, .owner($0.key)) } },
        refuses("two sign-ins of one account") { $0.signIns.map { ($0.account, .version($0.account)) } },
        refuses("an account that was read and is written") { changes in
            (changes.reads.map(\.id) + changes.accounts.map(\.id)).map { ($0, .version($0)) }
        },
        edits("leaves a session as it was updated first") { _, changes, after in
            for case .update(let session, _) in changes.sessions.reversed() { after.sessions[session.id] = session }
        },
    ]

    private static let looksAtOneOfTwo: [Flaw] = [
        judges("looks at the first precondition of a row") { checks, _ in
            var seen: Set<Store.Precondition> = []
            return checks.first { seen.insert($0.precondition).inserted && !$0.holds }?.precondition
        },
        judges("looks at the last precondition of a row") { checks, _ in
            var seen: Set<Store.Precondition> = []
            return checks.reversed().first { seen.insert($0.precondition).inserted && !$0.holds }?.precondition
        },
        prepares("looks at no read of an account that is written") { changes, _ in
            let written = changes.accounts.map(\.id)
            changes.reads.removeAll { written.contains($0.id) }
        },
        prepares("looks at no read of an account that is removed") { changes, _ in
            let removed = removed(changes)
            changes.reads.removeAll { removed.contains($0.id) }
        },
    ]

    private static let fulfillsByItself: [Flaw] = [
        prepares("uses up what it puts") { changes, _ in
            let new = changes.records.compactMap { if case .put(let record) = $0 { record.key } else { nil } }
            changes.records.removeAll { if case .consume(let key) = $0 { new.contains(key) } else { false } }
        },
        prepares("replaces what it puts") { changes, _ in
            let new = changes.records.compactMap { if case .put(let record) = $0 { record.key } else { nil } }
            changes.records.removeAll { if case .replace(let record) = $0 { new.contains(record.key) } else { false } }
        },
        prepares("updates the session that it puts") { changes, _ in
            let new = changes.sessions.compactMap { if case .put(let session) = $0 { session.id } else { nil } }
            changes.sessions.removeAll { if case .update(let row, _) = $0 { new.contains(row.id) } else { false } }
        },
    ]

    private static let writesInOtherOrders: [Flaw] = [
        prepares("writes the first replacement of a record") { changes, _ in
            var seen: Set<OneTimeRecordID> = []
            changes.records.removeAll { change in
                guard case .replace(let record) = change else { return false }
                return !seen.insert(record.key).inserted
            }
        },
        prepares("uses records up before it replaces them") { changes, _ in
            func isUse(_ change: OneTimeRecordChange) -> Bool { if case .consume = change { true } else { false } }
            changes.records = changes.records.filter(isUse) + changes.records.filter { !isUse($0) }
        },
        prepares("adds references before it removes others") { changes, _ in
            changes.references =
                changes.references.filter(\.isReferenced) + changes.references.filter { !$0.isReferenced }
        },
        prepares("adds references after it removed others") { changes, _ in
            changes.references =
                changes.references.filter { !$0.isReferenced } + changes.references.filter(\.isReferenced)
        },
        prepares("updates sessions before it ends others") { changes, _ in
            func isUpdate(_ change: Store.SessionChange) -> Bool { if case .update = change { true } else { false } }
            changes.sessions = changes.sessions.filter(isUpdate) + changes.sessions.filter { !isUpdate($0) }
        },
    ]

    /// A store that locks one row after the other, and ends one of two changes that wait for each other.
    private static let locksInOrder = Flaw("locks keys in the order of the change") {
        let whole = PlainStore()
        let locks = Mutex(LockTable<UniqueKey, OperationID>())
        return StoreSubject(open: {
            var store = FlawedStore(whole: whole)
            store.onCommit = { changes, whole in
                defer { locks.withLock { $0.release(changes.operation) } }
                for change in changes.keys {
                    while try !locks.withLock({ try $0.lock(change.key, for: changes.operation) }) { await pause() }
                    await pause()
                }
                return try await whole.commit(changes)
            }
            return store
        })
    }
}
