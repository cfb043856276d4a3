@testable import AuthCore
import AuthCoreTesting

/// Flaws of snapshots that are read in two steps, and of changes that are written in two.
extension Flaw {
    static let snapshots: [String: [Flaw]] = [
        "what one commit writes is seen together": readsInTwoSteps + looksUpRowsLater,
        "a large commit is seen together, and a refused one never": [writesAHundredFirst, showsWhatItRefuses],
    ]

    /// Reads the answers to some lookups a moment after all others.
    private static func reads(
        _ what: String,
        later isLater: @escaping @Sendable (_ place: Int, Lookup) -> Bool
    ) -> Flaw {
        Flaw("reads \(what) a moment later") { store in
            store.onLoad = { lookups, whole in
                let first = try await whole.load(lookups)
                await pause()
                let second = try await whole.load(lookups)
                let later = Set(lookups.enumerated().filter { isLater($0.offset, $0.element) }.map(\.element))
                return Snapshot(lookups) { (later.contains($0) ? second : first).answer(to: $0) }
            }
        }
    }

    private static let readsInTwoSteps: [Flaw] = [
        reads("what is behind the first twenty-five lookups") { place, _ in place >= 25 },
        reads("each account but the first") { place, lookup in
            if case .account = lookup { place > 0 } else { false }
        },
        reads("sessions by their IDs") { _, lookup in if case .session = lookup { true } else { false } },
        reads("records by their IDs") { _, lookup in if case .record = lookup { true } else { false } },
        reads("owners of keys") { _, lookup in if case .owner = lookup { true } else { false } },
        reads("the sessions of an owner") { _, lookup in
            if case .sessions(of: .owner) = lookup { true } else { false }
        },
        reads("the records of an owner") { _, lookup in
            if case .records(of: .owner, _) = lookup { true } else { false }
        },
    ]

    /// Shows in each answer what a second look finds for a part of it.
    private static func looksUp(
        _ what: String,
        later mix: @escaping @Sendable (Lookup, Snapshot.Answer, _ second: Snapshot) -> Snapshot.Answer
    ) -> Flaw {
        Flaw("looks up \(what) a moment later") { store in
            store.onLoad = { lookups, whole in
                let first = try await whole.load(lookups)
                await pause()
                let second = try await whole.load(lookups)
                return Snapshot(lookups) { mix($0, first.answer(to: $0), second) }
            }
        }
    }

    private static let looksUpRowsLater: [Flaw] = [
        looksUp("the last sign-in") { _, answer, second in
            guard case .account(let row) = answer else { return answer }
            return .account(Snapshot.Row(row.account, lastSignIn: second.lastSignIn(of: row.account.id)))
        },
        looksUp("the accounts of references") { lookup, answer, second in
            guard case .accounts(_, let version) = answer, case .accounts(let rows, _) = second.answer(to: lookup)
            else { return answer }
            return .accounts(rows, version: version)
        },
        looksUp("the account of a record") { _, answer, second in
            guard case .record(let record, let row?) = answer, let later = second[row.account.id] else { return answer }
            return .record(record, Snapshot.Row(later, lastSignIn: row.lastSignIn))
        },
    ]

    private static let writesAHundredFirst = Flaw("writes sessions behind the first hundred in a second commit") {
        store in
        store.onCommit = { changes, whole in
            var first = changes
            var second = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
            (first.sessions, second.sessions) = (
                Array(changes.sessions.prefix(100)), Array(changes.sessions.dropFirst(100))
            )
            let outcome = try await whole.commit(first)
            if outcome == .committed, !second.sessions.isEmpty {
                await pause()
                _ = try await whole.commit(second)
            }
            return outcome
        }
    }

    private static let showsWhatItRefuses = Flaw("writes sessions before it looks at what it may write") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            guard case .violated = outcome else { return outcome }
            for case .put(let session) in changes.sessions {
                for (number, change) in [Store.SessionChange.put(session), .end(session.id)].enumerated() {
                    let operation = OperationID(bits: changes.operation.bits ^ UInt128(1 + number) << 120)
                    var part = ChangeSet(operation: operation, at: changes.at)
                    part.sessions = [change]
                    _ = try await whole.commit(part)
                    await pause()
                }
            }
            return outcome
        }
    }
}
