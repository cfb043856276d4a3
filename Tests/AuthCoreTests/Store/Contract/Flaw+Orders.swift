@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of stores that lock what a change names in its own order, and of sweeps that meet.
extension Flaw {
    static let orders: [String: [Flaw]] = [
        "of changes that want the same in other orders one wins": [
            locks("keys that it claims") { $0.keys.filter { $0.expected == nil }.map { "\($0.key)" } },
            locks("accounts that it creates") { changes in
                changes.accounts.compactMap { if case .create(let account) = $0 { account.id.text } else { nil } }
            },
            locks("records that it puts") { changes in
                changes.records.compactMap { if case .put(let record) = $0 { "\(record.key)" } else { nil } }
            },
            locks("records that it uses up") { changes in
                changes.records.compactMap { if case .consume(let key) = $0 { "\(key)" } else { nil } }
            },
            locks("sessions that it begins") { changes in
                changes.sessions.compactMap { if case .put(let session) = $0 { "\(session.id)" } else { nil } }
            },
        ],
        "changes that end the same in other orders do not wait for each other": [
            locks("accounts whose sessions it ends") { changes in
                changes.sessions.compactMap { if case .endAll(let account, _) = $0 { account.text } else { nil } }
            },
            locks("accounts whose records it revokes") { changes in
                changes.records.compactMap { if case .revokeAll(let account, _) = $0 { account.text } else { nil } }
            },
        ],
        "of two sweeps at once each counts what it removes": [countsWhatItSaw],
    ]

    private static func locks(_ what: String, _ rows: @escaping @Sendable (ChangeSet) -> [String]) -> Flaw {
        Flaw("locks \(what) in the order of the change") {
            let locks = Mutex(LockTable<String, OperationID>())
            var store = FlawedStore(whole: PlainStore())
            store.onCommit = { changes, whole in
                defer { locks.withLock { $0.release(changes.operation) } }
                for row in rows(changes) {
                    while try !locks.withLock({ try $0.lock(row, for: changes.operation) }) { await pause() }
                    await pause()
                }
                return try await whole.commit(changes)
            }
            return StoreSubject(store)
        }
    }

    private static let countsWhatItSaw = Flaw("counts what another sweep removes") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            let (records, sessions) = plain.tables.withLock { tables in
                let sessions = tables.sessions.values.count { $0.expiresAt.map { $0 <= now } ?? false }
                return (tables.records.values.count { !$0.isLive(at: now) }, sessions)
            }
            await pause()
            var report = try await whole.sweep(at: now, limit: limit)
            // Sessions come first.
            report.sessions = min(max(0, limit), sessions)
            report.records = min(max(0, limit) - report.sessions, records)
            return report
        }
        return StoreSubject(store)
    }
}
