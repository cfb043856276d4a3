@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// Flaws that show while others write, on another handle, or after an end.
extension Flaw {
    // MARK: While others write

    static let readsPieceByPiece = Flaw("reads each lookup by itself") { store in
        store.onLoad = { lookups, whole in
            var answers: [Lookup: Snapshot.Answer] = [:]
            for lookup in lookups {
                answers[lookup] = try await whole.load([lookup]).answer(to: lookup)
                await Task.yield()
            }
            return Snapshot(lookups) { answers[$0] ?? .nothing }
        }
    }

    /// Writes a part of the change in a transaction of its own, a moment before or after the rest.
    private static func splits(
        _ name: String,
        isFirst: Bool,
        _ part: @escaping @Sendable (inout ChangeSet, inout ChangeSet) -> Void
    ) -> Flaw {
        Flaw(name) { store in
            store.onCommit = { changes, whole in
                var rest = changes
                var separate = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                part(&rest, &separate)
                if isFirst { _ = try await whole.commit(separate) }
                // As long as a round trip to a database lasts for a reader in memory.
                for _ in 0..<1000 { await Task.yield() }
                let outcome = try await whole.commit(rest)
                for _ in 0..<1000 { await Task.yield() }
                if !isFirst, outcome == .committed { _ = try await whole.commit(separate) }
                return outcome
            }
        }
    }

    static let splitTransactions: [Flaw] = [
        splits("writes messages after the commit", isFirst: false) { ($1.messages, $0.messages) = ($0.messages, []) },
        splits("writes messages before the commit", isFirst: true) { ($1.messages, $0.messages) = ($0.messages, []) },
        splits("writes events after the commit", isFirst: false) { ($1.events, $0.events) = ($0.events, []) },
        splits("writes events before the commit", isFirst: true) { ($1.events, $0.events) = ($0.events, []) },
    ]

    /// Every fifth event takes its position at once and becomes visible only after three later ones.
    static let showsEventsLate = Flaw("shows events late") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            let seen = page.events.filter { event in
                event.position.number % 5 != 0 || event.position.number + 3 <= page.end.number
            }
            return Store.EventPage(events: seen, removed: page.removed, end: page.end)
        }
    }

    static let hidesRemoved = Flaw("says nothing of removed events") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            return Store.EventPage(events: page.events, end: page.end)
        }
    }

    // MARK: Operations

    static let knowsOperationsByEvents = Flaw("knows operations by their events") { store in
        let number = Mutex<UInt128>(1 << 100)
        store.onCommit = { changes, whole in
            if !changes.events.isEmpty { return try await whole.commit(changes) }
            let other = number.withLock { number in
                number += 1
                return number
            }
            return try await whole.commit(changes.under(OperationID(bits: other)))
        }
    }

    static let forgetsAfterHours = Flaw("forgets operations after twenty-three hours") { store in
        let known = Mutex<[OperationID: Timestamp]>([:])
        let newest = Mutex<Timestamp>(.distantPast)
        store.onCommit = { changes, whole in
            let now = newest.withLock { newest in
                newest = max(newest, changes.at)
                return newest
            }
            let at = known.withLock { known in
                defer { known[changes.operation] = known[changes.operation] ?? now }
                return known[changes.operation]
            }
            guard let at, now - at > .seconds(23 * 3600) else { return try await whole.commit(changes) }
            return try await whole.commit(changes.under(OperationID(bits: ~changes.operation.bits)))
        }
    }

    // MARK: Handles

    static let keepsAccounts = handles("keeps the accounts that a handle has read") { store in
        let cache = Mutex<[AccountID: Snapshot.Row]>([:])
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .account(let row) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                return .account(
                    cache.withLock { cache in
                        let kept = cache[row.account.id] ?? row
                        cache[row.account.id] = kept
                        return kept
                    }
                )
            }
        }
        store.onCommit = { changes, whole in
            cache.withLock { cache in for write in changes.accounts { cache[write.id] = nil } }
            return try await whole.commit(changes)
        }
    }

    static let keepsOperations = handles("knows the operations of its own handle") { store in
        let mask = UInt128.random(in: 1 ... .max)
        store.onCommit = { changes, whole in
            try await whole.commit(changes.under(OperationID(bits: changes.operation.bits ^ mask)))
        }
    }

    static let countsVersions = handles("checks versions against its own handle's reads") { store in
        let own = Mutex<Set<AccountID>>([])
        store.onCommit = { changes, whole in
            let mine = own.withLock { $0 }
            var changes = changes
            for (index, write) in changes.accounts.enumerated() where !mine.contains(write.id) {
                if case .update(let account, _) = write,
                    let version = try await whole.load([.account(write.id)])[write.id]?.version
                {
                    changes.accounts[index] = .update(account, expected: version)
                }
            }
            own.withLock { own in for write in changes.accounts { own.insert(write.id) } }
            return try await whole.commit(changes)
        }
    }

    // MARK: Ends

    static func reopens(_ name: String, _ reopen: @escaping @Sendable (any IdentityStore) -> any IdentityStore) -> Flaw
    {
        Flaw(name) {
            let whole = InMemoryIdentityStore(eventLimit: 1000)
            return StoreSubject(open: { whole }, reopen: { reopen(whole) })
        }
    }

    static let endsInMemory: [Flaw] = [
        reopens("leases at its start what was leased") { whole in
            var store = FlawedStore(whole: whole)
            store.onLease = { now, end, limit, whole in
                let all = try await whole.messages(.waiting, after: nil, limit: 100)
                for message in all { try await whole.endLease(of: message.entry.id, tries: message.tries, dueAt: now) }
                return try await whole.leaseMessages(at: now, until: end, limit: limit)
            }
            return store
        },
        reopens("counts tries anew") { whole in
            var store = FlawedStore(whole: whole)
            store.onMessages = { status, id, limit, whole in
                let found = try await whole.messages(status, after: id, limit: limit)
                return found.map { Store.QueuedMessage($0.entry, tries: 1, dueAt: $0.dueAt) }
            }
            return store
        },
        bringsBack("the messages that were settled", { $0.messages = $1.messages }),
        bringsBack(
            "the records that were swept",
            { tables, written in
                tables.records.merge(written.records.filter { $1.expiresAt != nil }) { old, _ in old }
            }
        ),
        bringsBack("the sessions that ended", { $0.sessions = $1.sessions }),
        bringsBack("the keys that were released", { $0.owners.merge($1.owners) { old, _ in old } }),
        bringsBack(
            "no tombstone",
            { tables, _ in tables.records = tables.records.filter { $1.purpose != .tombstone } }
        ),
        bringsBack(
            "the records that were used up",
            { tables, written in
                tables.records.merge(written.records.filter { $1.expiresAt == nil }) { old, _ in old }
            }
        ),
    ]

    /// Has, once it is opened again, what every change put and nothing else ended.
    private static func bringsBack(
        _ name: String,
        _ restore: @escaping @Sendable (inout PlainTables, _ written: PlainTables) -> Void
    ) -> Flaw {
        Flaw("brings back \(name)") {
            let written = Mutex(PlainTables())
            let plain = PlainStore(edit: { _, changes, _ in
                var puts = changes
                puts.accounts = []
                puts.keys.removeAll { $0.owner == nil }
                puts.sessions.removeAll { if case .put = $0 { false } else { true } }
                puts.records.removeAll { if case .put = $0 { false } else { true } }
                written.withLock { $0.write(puts) }
            })
            return StoreSubject(
                open: { plain },
                reopen: {
                    plain.tables.withLock { tables in restore(&tables, written.withLock { $0 }) }
                    return plain
                }
            )
        }
    }

    static let losesEverything = reopens("loses everything at its end") { _ in InMemoryIdentityStore() }
    static let losesOperations = reopens("loses operations at its end") { whole in
        var store = FlawedStore(whole: whole)
        store.onCommit = { try await $1.commit($0.under(OperationID(bits: ~$0.operation.bits))) }
        return store
    }
    static let losesMessages = reopens("loses messages at its end") { whole in
        var store = FlawedStore(whole: whole)
        store.onMessages = { _, _, _, _ in [] }
        return store
    }
    static let beginsPositionsAnew = reopens("begins positions anew") { _ in InMemoryIdentityStore(eventLimit: 1000) }

    /// A database whose commits end after some statements, and that then keeps what the body makes of the change; the
    /// caller gets an answer only if the body has one.
    static func interrupts(
        _ name: String,
        before last: Int = 12,
        _ keep:
            @escaping @Sendable (ChangeSet, _ statements: Int, any IdentityStore) async throws -> Store.CommitOutcome?
    ) -> Flaw {
        Flaw(name) {
            struct ConnectionLost: Error {}
            let whole = InMemoryIdentityStore(eventLimit: 1000)
            let end = Mutex<Int?>(nil)
            return StoreSubject(
                open: {
                    var store = FlawedStore(whole: whole)
                    store.onCommit = { changes, whole in
                        guard let statements = end.withLock({ $0 }), statements < last else {
                            return try await whole.commit(changes)
                        }
                        end.withLock { $0 = nil }
                        if let answer = try await keep(changes, statements, whole) { return answer }
                        throw ConnectionLost()
                    }
                    return store
                },
                interrupt: { statements in end.withLock { $0 = statements } }
            )
        }
    }

    static let keepsHalf: [Flaw] = [
        interrupts("keeps what was written before an interruption") { changes, statements, whole in
            var half = ChangeSet(operation: changes.operation, at: changes.at)
            if statements > 2 { half.accounts = changes.accounts }
            if statements > 4 { half.keys = changes.keys }
            if statements > 6 { half.sessions = changes.sessions }
            if !half.isEmpty { _ = try await whole.commit(half) }
            return nil
        },
        interrupts("forgets the operation of an interrupted commit") { changes, statements, whole in
            if statements == 11 {
                _ = try await whole.commit(changes.under(OperationID(bits: ~changes.operation.bits)))
            }
            return nil
        },
        interrupts("keeps the rule of keys of an interrupted commit") { changes, _, whole in
            var rule = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
            rule.keyRule = changes.keyRule
            _ = try await whole.commit(rule)
            return nil
        },
        interrupts("answers before it has written everything") { _, statements, _ in
            statements > 3 ? .committed : nil
        },
    ]

    static let keepsBatches = interrupts("keeps batches of a hundred rows", before: 640) { changes, statements, whole in
        let written = statements / 100 * 100
        if written == 0 { return nil }
        var batches = ChangeSet(operation: changes.operation, at: changes.at)
        batches.records = Array(changes.records.prefix(written))
        batches.messages = Array(changes.messages.prefix(max(0, written - changes.records.count)))
        _ = try await whole.commit(batches)
        return nil
    }
}
