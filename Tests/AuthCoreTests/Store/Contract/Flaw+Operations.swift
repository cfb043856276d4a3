@testable import AuthCore
import Synchronization

/// Flaws of how a store knows an operation that it has written.
extension Flaw {
    static let operations: [String: [Flaw]] = [
        "an operation is known by its ID and by nothing else": knowsContent,
        "an operation is written once, whatever it writes": knowsSomeOperations,
    ]

    private static let knowsContent: [Flaw] = [
        .wraps("knows an operation by what it writes") { store in
            let known = Mutex<Set<ChangeSet>>([])
            store.onCommit = { changes, whole in
                let plain = changes.under(OperationID(bits: 0))
                if known.withLock({ $0.contains(plain) }) { return .duplicate }
                let outcome = try await whole.commit(changes)
                if outcome == .committed { known.withLock { _ = $0.insert(plain) } }
                return outcome
            }
        },
        .wraps("writes another change under the same ID") { store in
            let known = FirstValues<OperationID, ChangeSet>()
            let number = Mutex<UInt128>(1 << 100)
            store.onCommit = { changes, whole in
                let isOther = known[changes.operation].map { $0 != changes } ?? false
                let id = number.withLock { number in
                    number += 1
                    return OperationID(bits: number)
                }
                let outcome = try await whole.commit(isOther ? changes.under(id) : changes)
                if outcome == .committed { known.keep(changes, under: changes.operation) }
                return outcome
            }
        },
        .wraps("looks at preconditions before it looks for the operation") { store in
            let number = Mutex<UInt128>(1 << 100)
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                guard outcome == .duplicate, !changes.reads.isEmpty else { return outcome }
                let id = number.withLock { number in
                    number += 1
                    return OperationID(bits: number)
                }
                var reads = ChangeSet(operation: id, at: changes.at)
                reads.reads = changes.reads
                let read = try await whole.commit(reads)
                return read == .committed ? outcome : read
            }
        },
        .writesEventsAgain,
    ]

    static let writesEventsAgain = writesAPart("writes the events of a change again") { outcome, changes, part in
        if outcome == .duplicate { part.events = changes.events }
    }

    private static func forgets(_ name: String, _ isForgotten: @escaping @Sendable (ChangeSet) -> Bool) -> Flaw {
        .edits("does not note an operation \(name)") { _, changes, after in
            if isForgotten(changes) { after.operations.remove(changes.operation) }
        }
    }

    private static let knowsSomeOperations: [Flaw] = [
        forgets("that updates accounts alone") { $0.records.isEmpty && $0.events.isEmpty && !$0.accounts.isEmpty },
        forgets("of keys") { !$0.keys.isEmpty && $0.accounts.isEmpty },
        forgets("of references") { !$0.references.isEmpty && $0.accounts.isEmpty },
        forgets("of records") { !$0.records.isEmpty && $0.accounts.isEmpty },
        forgets("of sessions") { !$0.sessions.isEmpty && $0.accounts.isEmpty },
        forgets("of messages") { !$0.messages.isEmpty && $0.accounts.isEmpty },
        forgets("without an account") { $0.accounts.isEmpty },
    ]
}
