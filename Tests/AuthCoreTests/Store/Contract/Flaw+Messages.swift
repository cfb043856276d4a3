@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of messages, and of what one handle knows of messages, sweeps and due accounts.
extension Flaw {
    static let messages: [String: [Flaw]] = [
        "a lease ends by its own number of tries and by no other": miscountsLeases,
        "messages of either status are listed in the order of their IDs": misordersMessages,
        "many messages are leased, given up and settled": sendsAHundred,
        "what one handle does to messages and to what is due the other sees": hasQueuesOfItsOwn,
    ]

    private static func endsLeases(
        _ name: String,
        _ isHeeded: @escaping @Sendable (_ tries: Int, Store.QueuedMessage) -> Bool
    ) -> Flaw {
        .wraps("ends leases \(name)") { store in
            store.onEndLease = { id, tries, dueAt, whole in
                let all = try await whole.messages(.waiting, after: nil, limit: .max)
                guard let message = all.first(where: { $0.entry.id == id }) else { return }
                if isHeeded(tries, message) { try await whole.endLease(of: id, tries: message.tries, dueAt: dueAt) }
            }
        }
    }

    private static let miscountsLeases: [Flaw] = [
        endsLeases("of no fewer tries") { $0 >= $1.tries },
        endsLeases("of no more tries") { $0 <= $1.tries },
        endsLeases("of other callers than the writer") { $0 == $1.tries && $1.tries > 1 },
        endsLeases("of the next try") { $0 == $1.tries || $0 == $1.tries + 1 },
        .wraps("gives messages back that were given up") { store in
            store.onMessages = { status, id, limit, whole in
                let found = try await whole.messages(status, after: id, limit: limit)
                return found.map { Store.QueuedMessage($0.entry, tries: max(2, $0.tries), dueAt: $0.dueAt) }
            }
        },
        .wraps("lets a lease end no earlier than it was to") { store in
            store.onEndLease = { id, tries, dueAt, whole in
                let all = try await whole.messages(.waiting, after: nil, limit: .max)
                let end = all.first { $0.entry.id == id }?.dueAt
                let later = dueAt.map { dueAt in end.map { max($0, dueAt) } ?? dueAt }
                try await whole.endLease(of: id, tries: tries, dueAt: later)
            }
        },
        .wraps("counts the end of a lease as a try") { store in
            store.onMessages = { status, id, limit, whole in
                let found = try await whole.messages(status, after: id, limit: limit)
                return found.map { message in
                    let isFailed = message.dueAt == nil
                    return Store.QueuedMessage(
                        message.entry,
                        tries: message.tries + (isFailed ? 1 : 0),
                        dueAt: message.dueAt
                    )
                }
            }
        },
    ]

    private static func listsMessages(
        _ name: String,
        _ list: @escaping @Sendable ([Store.QueuedMessage], OperationID?, [OperationID]) -> [Store.QueuedMessage]
    ) -> Flaw {
        .wraps("lists messages \(name)") { store in
            let order = Mutex<[OperationID]>([])
            store.onCommit = { changes, whole in
                order.withLock { $0 += changes.messages.map(\.id) }
                return try await whole.commit(changes)
            }
            store.onMessages = { status, id, limit, whole in
                let all = try await whole.messages(status, after: nil, limit: 10_000)
                return Array(list(all, id, order.withLock { $0 }).prefix(limit))
            }
        }
    }

    private static let misordersMessages: [Flaw] = [
        listsMessages("as they were written") { all, id, order in
            let place = { (id: OperationID) in order.firstIndex(of: id) ?? 0 }
            let left = all.filter { message in id.map { place($0) < place(message.entry.id) } ?? true }
            return left.sorted { place($0.entry.id) < place($1.entry.id) }
        },
        listsMessages("backwards") { all, id, _ in
            all.filter { message in id.map { message.entry.id < $0 } ?? true }.reversed()
        },
        listsMessages("after one that it lists") { all, id, _ in
            guard let id else { return all }
            guard let place = all.firstIndex(where: { $0.entry.id == id }) else { return [] }
            return Array(all[(place + 1)...])
        },
        listsMessages("from the one that was read") { all, id, _ in
            all.filter { message in id.map { $0 <= message.entry.id } ?? true }
        },
    ]

    private static let sendsAHundred: [Flaw] = [
        .wraps("leases a hundred messages") { store in
            store.onLease = { try await $3.leaseMessages(at: $0, until: $1, limit: min($2, 100)) }
        },
        .wraps("leases what is due longest among the first hundred") { store in
            store.onLease = { now, end, limit, whole in
                let first = try await whole.messages(.waiting, after: nil, limit: 100).map(\.entry.id)
                let leased = try await whole.leaseMessages(at: now, until: end, limit: limit)
                return leased.filter { first.contains($0.entry.id) } + leased.filter { !first.contains($0.entry.id) }
            }
        },
        .wraps("settles a hundred messages") { store in
            store.onSettle = { try await $1.settleMessages(Array($0.prefix(100))) }
        },
        .wraps("settles no message that was given up") { store in
            store.onSettle = { ids, whole in
                let waiting = Set(try await whole.messages(.waiting, after: nil, limit: 1000).map(\.entry.id))
                try await whole.settleMessages(ids.filter(waiting.contains))
            }
        },
        .wraps("lists a hundred messages") { store in
            store.onMessages = { try await $3.messages($0, after: $1, limit: min($2, 100)) }
        },
        .wraps("settles no message that is leased") { store in
            store.onSettle = { ids, whole in
                let leased = Set(
                    try await whole.messages(.waiting, after: nil, limit: 1000).filter { $0.tries > 1 }.map(\.entry.id)
                )
                try await whole.settleMessages(ids.filter { !leased.contains($0) })
            }
        },
    ]

    private static let hasQueuesOfItsOwn: [Flaw] = [
        handles("leases what its own handle wrote") { store in
            let own = Mutex<Set<OperationID>>([])
            store.onCommit = { changes, whole in
                own.withLock { $0.formUnion(changes.messages.map(\.id)) }
                return try await whole.commit(changes)
            }
            store.onLease = { now, end, limit, whole in
                let mine = own.withLock { $0 }
                return try await whole.leaseMessages(at: now, until: end, limit: limit).filter {
                    mine.contains($0.entry.id)
                }
            }
        },
        handles("settles what its own handle leased") { store in
            let own = Mutex<Set<OperationID>>([])
            store.onLease = { now, end, limit, whole in
                let leased = try await whole.leaseMessages(at: now, until: end, limit: limit)
                own.withLock { $0.formUnion(leased.map(\.entry.id)) }
                return leased
            }
            store.onSettle = { ids, whole in
                let mine = own.withLock { $0 }
                try await whole.settleMessages(ids.filter(mine.contains))
            }
        },
        handles("ends the leases of its own handle") { store in
            let own = Mutex<Set<OperationID>>([])
            store.onLease = { now, end, limit, whole in
                let leased = try await whole.leaseMessages(at: now, until: end, limit: limit)
                own.withLock { $0.formUnion(leased.map(\.entry.id)) }
                return leased
            }
            store.onEndLease = { id, tries, dueAt, whole in
                if own.withLock({ $0.contains(id) }) { try await whole.endLease(of: id, tries: tries, dueAt: dueAt) }
            }
        },
        handles("sweeps what its own handle wrote") { store in
            let wrote = Mutex(false)
            store.onCommit = { changes, whole in
                wrote.withLock { $0 = true }
                return try await whole.commit(changes)
            }
            store.onSweep = { now, limit, whole in
                wrote.withLock { $0 } ? try await whole.sweep(at: now, limit: limit) : Store.SweepReport()
            }
        },
        handles("knows what is due from its first look") { store in
            let first = Mutex<[Account]?>(nil)
            store.onDue = { now, after, limit, whole in
                let found = try await whole.accounts(dueBy: now, after: after, limit: limit)
                return first.withLock { first in
                    first = first ?? found
                    return first ?? found
                }
            }
        },
    ]
}
