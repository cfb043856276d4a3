@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of one kind of change only, which a sample without that kind would not show.
extension Flaw {
    static let parts: [String: [Flaw]] = [
        "precondition: a list of references is as it was read": leavesBehind,
        "precondition: a refresh token was exchanged as often as seen": leavesBehind.filter {
            !$0.name.contains("updates of sessions")
        },
        "an operation is written once, whatever it writes": forgetsKinds,
        "many rows of each kind are seen together": splitsMany,
    ]

    /// A kind of change, which takes its part of a whole one.
    private struct Kind: Sendable {
        let name: String
        let take: @Sendable (ChangeSet, inout ChangeSet) -> Void

        init(_ name: String, _ take: @escaping @Sendable (ChangeSet, inout ChangeSet) -> Void) {
            (self.name, self.take) = (name, take)
        }

        /// What a change contains of this kind, as a change of its own.
        func part(of changes: ChangeSet, as operation: UInt128) -> ChangeSet {
            var part = ChangeSet(operation: OperationID(bits: operation), at: changes.at)
            take(changes, &part)
            return part
        }

        /// Whether a change contains nothing else.
        func isAll(of changes: ChangeSet) -> Bool {
            let part = part(of: changes, as: 0)
            return !part.isEmpty
                && (part.accounts, part.keys, part.references) == (changes.accounts, changes.keys, changes.references)
                && (part.records, part.sessions, part.signIns) == (changes.records, changes.sessions, changes.signIns)
                && (part.events, part.messages) == (changes.events, changes.messages)
        }
    }

    private static let kinds: [Kind] = [
        Kind("new accounts") { $1.accounts = $0.accounts.filter { if case .create = $0 { true } else { false } } },
        Kind("updates of accounts") {
            $1.accounts = $0.accounts.filter { if case .update = $0 { true } else { false } }
        },
        Kind("removals") { $1.accounts = $0.accounts.filter { if case .remove = $0 { true } else { false } } },
        Kind("new keys") { $1.keys = $0.keys.filter { $0.expected == nil && $0.owner != nil } },
        Kind("keys that move") { $1.keys = $0.keys.filter { $0.expected != nil && $0.owner != nil } },
        Kind("keys that end") { $1.keys = $0.keys.filter { $0.expected != nil && $0.owner == nil } },
        Kind("references") { $1.references = $0.references.filter(\.isReferenced) },
        Kind("references that end") { $1.references = $0.references.filter { !$0.isReferenced } },
        Kind("new records") { $1.records = $0.records.filter { if case .put = $0 { true } else { false } } },
        Kind("replacements of records") {
            $1.records = $0.records.filter { if case .replace = $0 { true } else { false } }
        },
        Kind("uses of records") { $1.records = $0.records.filter { if case .consume = $0 { true } else { false } } },
        Kind("ends of records") { $1.records = $0.records.filter { if case .revoke = $0 { true } else { false } } },
        Kind("revocations") { $1.records = $0.records.filter { if case .revokeAll = $0 { true } else { false } } },
        Kind("new sessions") { $1.sessions = $0.sessions.filter { if case .put = $0 { true } else { false } } },
        Kind("updates of sessions") {
            $1.sessions = $0.sessions.filter { if case .update = $0 { true } else { false } }
        },
        Kind("ends of sessions") { $1.sessions = $0.sessions.filter { if case .end = $0 { true } else { false } } },
        Kind("ends of all sessions") {
            $1.sessions = $0.sessions.filter { if case .endAll = $0 { true } else { false } }
        },
        Kind("ends of unused sessions") {
            $1.sessions = $0.sessions.filter { if case .endUnused = $0 { true } else { false } }
        },
        Kind("sign-ins") { $1.signIns = $0.signIns },
        Kind("events") { $1.events = $0.events },
        Kind("messages") { $1.messages = $0.messages },
    ]

    /// A store that writes as it checks, without a transaction.
    private static let leavesBehind = kinds.map { kind in
        Flaw("leaves behind of a refused change: \(kind.name)") { store in
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                if case .violated = outcome {
                    _ = try await whole.commit(kind.part(of: changes, as: changes.operation.bits ^ 1 << 96))
                }
                return outcome
            }
        }
    }

    /// A store that writes what is much of one kind in two steps.
    private static func splits<Element>(
        _ name: String,
        _ list: any WritableKeyPath<ChangeSet, [Element]> & Sendable
    ) -> Flaw {
        .handles("writes many \(name) in two steps") { store in
            store.onCommit = { changes, whole in
                let half = changes[keyPath: list].count / 2
                if half < 3 { return try await whole.commit(changes) }
                var first = changes
                var rest = ChangeSet(operation: OperationID(bits: changes.operation.bits ^ 1 << 96), at: changes.at)
                rest[keyPath: list] = Array(first[keyPath: list].dropFirst(half))
                first[keyPath: list] = Array(first[keyPath: list].prefix(half))
                let outcome = try await whole.commit(first)
                if outcome == .committed {
                    await pause()
                    _ = try await whole.commit(rest)
                }
                return outcome
            }
        }
    }

    private static let splitsMany: [Flaw] = [
        splits("accounts", \.accounts), splits("keys", \.keys), splits("references", \.references),
        splits("records", \.records), splits("sessions", \.sessions), splits("sign-ins", \.signIns),
        splits("events", \.events), splits("messages", \.messages),
    ]

    /// A store that writes the ID with some statements only.
    private static let forgetsKinds = kinds.map { kind in
        Flaw("does not remember an operation of nothing but \(kind.name)") { store in
            let count = Mutex<UInt128>(0)
            store.onCommit = { changes, whole in
                guard kind.isAll(of: changes) else { return try await whole.commit(changes) }
                // Each time under another ID.
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return try await whole.commit(kind.part(of: changes, as: changes.operation.bits ^ number << 96))
            }
        }
    }
}
