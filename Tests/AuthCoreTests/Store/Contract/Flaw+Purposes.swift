@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of stores that treat records of one purpose in another way than those of others.
extension Flaw {
    static let purposes: [String: [Flaw]] = [
        "a record is swept by its time, whatever it is for": [
            sweeps("merges", [.mergeIntent, .mergePlan]), sweeps("sign-ups", [.provisionalSignUp]),
            spares("visits to providers", [.authorization, .nonce]),
            spares("challenges", [.factorChallenge, .pendingIdentity, .phoneCode]),
            spares("what undoes a change", [.undo, .changeReport, .recoverEmail]),
        ],
        "a record is put where none is, whatever it is for": [
            puts("merges", [.mergeIntent, .mergePlan]), puts("visits to providers", [.authorization, .nonce]),
            puts("seeds", [.totpSeed]),
        ],
    ]

    private static func sweeps(_ what: String, _ purposes: Set<OneTimeRecord.Purpose>) -> Flaw {
        Flaw("sweeps \(what) that never expire") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onSweep = { now, limit, whole in
                let removed = plain.tables.withLock { tables in
                    let all = tables.records.values.filter { $0.expiresAt == nil && purposes.contains($0.purpose) }
                    for record in all { tables.records[record.key] = nil }
                    return all.count
                }
                var report = try await whole.sweep(at: now, limit: limit)
                report.records += removed
                return report
            }
            return StoreSubject(store)
        }
    }

    private static func spares(_ what: String, _ purposes: Set<OneTimeRecord.Purpose>) -> Flaw {
        Flaw("never sweeps \(what)") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onSweep = { now, limit, whole in
                let spared = plain.tables.withLock { tables in
                    let spared = tables.records.filter { purposes.contains($1.purpose) }
                    for key in spared.keys { tables.records[key] = nil }
                    return spared
                }
                let report = try await whole.sweep(at: now, limit: limit)
                plain.tables.withLock { $0.records.merge(spared) { first, _ in first } }
                return report
            }
            return StoreSubject(store)
        }
    }

    private static func puts(_ what: String, _ purposes: Set<OneTimeRecord.Purpose>) -> Flaw {
        .prepares("puts \(what) over others") { changes, tables in
            changes.records = changes.records.map { change in
                guard case .put(let record) = change, purposes.contains(record.purpose),
                    tables.records[record.key] != nil
                else { return change }
                return .replace(record)
            }
        }
    }
}
