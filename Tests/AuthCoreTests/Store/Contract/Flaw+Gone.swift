@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show in what is left of an account that is gone, and in what it has when it is there again.
extension Flaw {
    static let gone: [String: [Flaw]] = [
        "a restored account is due when it says, and not when it was before": [keepsDueTimes],
        "the rows of an account that is not there are updated and end": leavesRowsOfTheGone,
        "a key that was given back can be taken": listsByFormerOwners,
    ]

    /// An index that keeps an account's time when it is removed, and looks only for accounts that are there.
    private static let keepsDueTimes = Flaw("keeps when an account was due that was removed") {
        let plain = PlainStore()
        let kept = Mutex<Set<PlainIndexes.Entry<Timestamp, AccountID>>>([])
        var store = FlawedStore(whole: plain)
        store.onCommit = { changes, whole in
            let before = plain.tables.withLock { PlainIndexes(of: $0).due }
            let outcome = try await whole.commit(changes)
            let removed = outcome == .committed ? removed(changes) : []
            kept.withLock { $0.formUnion(before.filter { removed.contains($0.id) }) }
            return outcome
        }
        store.onDue = { now, last, limit, _ in
            plain.tables.withLock { tables in
                let all = kept.withLock { $0 }.union(PlainIndexes(of: tables).due).filter { $0.key <= now }
                let left = all.sorted().filter { entry in
                    last.map { ($0.dueAt ?? .distantPast, $0.id) < (entry.key, entry.id) } ?? true
                }
                return Array(left.compactMap { tables.accounts[$0.id] }.prefix(max(0, limit)))
            }
        }
        return StoreSubject(store)
    }

    // MARK: Rows

    private static func leavesSessions(
        _ what: String,
        _ ends: @escaping @Sendable (Store.SessionChange, Session) -> Bool
    ) -> Flaw {
        .edits("\(what) of an account that is gone") { before, changes, after in
            for session in before.sessions.values where before.accounts[session.account] == nil {
                if changes.sessions.contains(where: { ends($0, session) }) { after.sessions[session.id] = session }
            }
        }
    }

    private static func leavesRecords(
        _ what: String,
        _ ends: @escaping @Sendable (OneTimeRecordChange, OneTimeRecord) -> Bool
    ) -> Flaw {
        .edits("\(what) of an account that is gone") { before, changes, after in
            for record in before.records.values {
                guard let account = record.account, before.accounts[account] == nil else { continue }
                if changes.records.contains(where: { ends($0, record) }) { after.records[record.key] = record }
            }
        }
    }

    private static let leavesRowsOfTheGone: [Flaw] = [
        leavesSessions("updates no session") { change, session in
            if case .update(let new, _) = change { new.id == session.id } else { false }
        },
        leavesSessions("ends no session") { change, session in
            if case .end(session.id) = change { true } else { false }
        },
        leavesSessions("makes no room for a session") { change, session in
            if case .endUnused(session.account, _, _) = change { true } else { false }
        },
        leavesSessions("ends not all sessions") { change, session in
            if case .endAll(session.account, _) = change { true } else { false }
        },
        leavesRecords("revokes no record") { change, record in
            if case .revoke(record.key) = change { true } else { false }
        },
        leavesRecords("revokes not all records") { change, record in
            if case .revokeAll(record.account, _) = change { true } else { false }
        },
    ]

    // MARK: Keys

    private static let listsByFormerOwners = [
        listsByFormerOwner("sessions") { lookup, owner in
            guard case .sessions(of: .owner(let key)) = lookup else { return nil }
            return owner(key).map { .sessions(of: .account($0)) }
        },
        listsByFormerOwner("records") { lookup, owner in
            guard case .records(of: .owner(let key), let purpose) = lookup else { return nil }
            return owner(key).map { .records(of: .account($0), purpose) }
        },
    ]

    /// Lists by a key that was released what its last owner has.
    private static func listsByFormerOwner(
        _ what: String,
        _ instead: @escaping @Sendable (Lookup, (UniqueKey) -> AccountID?) -> Lookup?
    ) -> Flaw {
        Flaw("lists the \(what) of a released key's former owner") {
            let plain = PlainStore()
            let former = Mutex<[UniqueKey: AccountID]>([:])
            var store = FlawedStore(whole: plain)
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                guard outcome == .committed else { return outcome }
                former.withLock { former in
                    for change in changes.keys where change.owner != change.expected {
                        former[change.key] = change.owner == nil ? change.expected : nil
                    }
                }
                return outcome
            }
            store.onLoad = { lookups, whole in
                let former = former.withLock { $0 }
                let replaced = lookups.map { lookup in instead(lookup) { former[$0] } ?? lookup }
                let seen = try await whole.load(Lookups(lookups).union(Lookups(replaced)))
                let places = Dictionary(zip(lookups, replaced)) { first, _ in first }
                return Snapshot(lookups) { places[$0].map(seen.answer) ?? .nothing }
            }
            return StoreSubject(store)
        }
    }
}
