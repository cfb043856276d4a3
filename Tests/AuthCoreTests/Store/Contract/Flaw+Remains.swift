@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show in what a commit, an end, a settlement or a restart leaves behind.
extension Flaw {
    static let remains: [String: [Flaw]] = [
        "a commit that is canceled and answered as failed is not written": keepsHalfOfTheCanceled,
        "a large commit is seen together, and a refused one never": [showsAccountsThatItRefuses],
        "a session ends alone": [endsWhatASessionAskedFor],
        "a settled message is gone": [revokesWhatItSettles, settlesWhatIsUsed],
        "a message whose lease ends is due again, or has failed": [leasesBehindTheFailed],
        "a list of references has another version whenever it shows others": [keepsTheVersionOfAnotherOrder],
        "the sessions that were unused longest end": [endsTheNamedWhereThereIsNoRoom],
        "the log keeps what the store says, and says what it removed": [removesByTime],
        "positions grow on after the store is opened again": [countsPositionsAnew, forgetsWhatItRemoved],
        "lists are whole, however long": loadsOnePage,
    ]

    // MARK: What a commit leaves

    static func leaves(_ name: String, _ part: @escaping @Sendable (ChangeSet, inout PlainTables) -> Void)
        -> Flaw
    {
        Flaw(name) {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onCommit = { changes, whole in
                await pause()
                guard Task.isCancelled else { return try await whole.commit(changes) }
                plain.tables.withLock { part(changes, &$0) }
                throw CancellationError()
            }
            return StoreSubject(store)
        }
    }

    private static let keepsHalfOfTheCanceled: [Flaw] = [
        leaves("keeps the operation of a canceled commit") { $1.operations.insert($0.operation) },
        leaves("keeps the sessions of a canceled commit") { changes, tables in
            for case .put(let session) in changes.sessions { tables.sessions[session.id] = session }
        },
    ]

    private static let showsAccountsThatItRefuses = Flaw("writes accounts and records before it looks") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onCommit = { changes, whole in
            let before = plain.tables.withLock { tables in
                let before = tables
                for case .create(let account) in changes.accounts { tables.accounts[account.id] = account }
                for case .put(let record) in changes.records { tables.records[record.key] = record }
                return before
            }
            let isRight = changes.accounts.allSatisfy { if case .create = $0 { false } else { true } }
            if !isRight { await pause() }
            plain.tables.withLock { $0 = before }
            return try await whole.commit(changes)
        }
        return StoreSubject(store)
    }

    private static let endsWhatASessionAskedFor = Flaw.edits("revokes what a session asked for that ends") {
        _,
        changes,
        after in
        for case .end(let id) in changes.sessions { after.records = after.records.filter { $1.content.asker != id } }
    }

    private static let settlesWhatIsUsed = Flaw.edits("settles a message whose code was used") { _, changes, after in
        for case .consume(let key) in changes.records { after.messages.removeAll { $0.entry.record == key } }
    }

    private static let revokesWhatItSettles = Flaw("revokes the code in a message that is settled") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onSettle = { ids, whole in
            plain.tables.withLock { tables in
                for message in tables.messages where ids.contains(message.entry.id) {
                    tables.records[message.entry.record] = nil
                }
            }
            try await whole.settleMessages(ids)
        }
        return StoreSubject(store)
    }

    private static let leasesBehindTheFailed = Flaw("counts failed messages among those that it leases") { store in
        store.onLease = { now, end, limit, whole in
            let failed = try await whole.messages(.failed, after: nil, limit: limit).count
            return try await whole.leaseMessages(at: now, until: end, limit: limit - failed)
        }
    }

    private static let keepsTheVersionOfAnotherOrder = Flaw.edits("keeps the version of a list in another order") {
        before,
        changes,
        after in
        for email in Set(changes.references.map(\.email)) {
            let (old, new) = (before.found(email), after.found(email))
            if Set(old.map(\.account)) == Set(new.map(\.account)), old.map(\.account) != new.map(\.account) {
                after.listVersions[email] = before.listVersions[email]
            }
        }
    }

    private static let endsTheNamedWhereThereIsNoRoom = Flaw.prepares("ends all where there is room for none") {
        changes,
        _ in
        changes.sessions = changes.sessions.map { change in
            if case .endUnused(let account, 0, _) = change { .endAll(account, except: nil) } else { change }
        }
    }

    // MARK: The log

    private static let removesByTime = Flaw("removes the events of the earliest times") {
        StoreSubject(
            PlainStore(
                events: .newest(1000),
                edit: { _, _, after in
                    let old = after.events.sorted { $0.at < $1.at }.prefix(max(0, after.events.count - 1000))
                    let gone = Set(old.map(\.position))
                    after.removed = max(after.removed, gone.max() ?? .start)
                    after.events.removeAll { gone.contains($0.position) }
                }
            )
        )
    }

    static func reopens(_ name: String, _ change: @escaping @Sendable (inout PlainTables) -> Void) -> Flaw {
        Flaw(name) {
            let plain = log(ofNewest: 1000)
            return StoreSubject(
                open: { plain },
                reopen: {
                    plain.tables.withLock { change(&$0) }
                    return plain
                }
            )
        }
    }

    private static let loadsOnePage: [Flaw] = [
        reopens("reads a thousand sessions when it begins") { tables in
            let first = Set(tables.sessions.keys.sorted().prefix(1000))
            tables.sessions = tables.sessions.filter { first.contains($0.key) }
        },
        reopens("reads a thousand accounts when it begins") { tables in
            let first = Set(tables.accounts.keys.sorted().prefix(1000))
            tables.accounts = tables.accounts.filter { first.contains($0.key) }
        },
        reopens("reads a hundred events when it begins") { $0.events = Array($0.events.prefix(100)) },
    ]

    private static let countsPositionsAnew = reopens("goes on from the number of its events") {
        $0.commits = UInt64($0.events.count / 200)
    }

    private static let forgetsWhatItRemoved = reopens("forgets what it removed") { $0.removed = .start }
}
