@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show where a call is canceled, or where others come between its parts.
extension Flaw {
    static let interleaved: [String: [Flaw]] = [
        "a commit that is canceled and answered as failed is not written": keepsPartsOfTheCanceled,
        "a read that is canceled fails or is whole": cutsCanceledReads,
        "of parallel claims to one key one wins": looksTooEarlyAtMoves,
        "no session begins beside the end of all that it did not see": [readsWhatIsRemoved],
        "a large commit is seen together, and a refused one never": readsLargeLoadsInParts,
        "changes that name the same rows in other orders do not wait for each other": [sweepsInOrder],
        "a lease that another took over ends nothing, and what is settled stays so": [writesWhatItEnds],
        "a page has as many messages as it may while others are settled": [pagesMessagesInTwoSteps],
        "lists and pages are whole, however large their rows are": cutsLargeMessages,
    ]

    // MARK: Cancellation

    private static let keepsPartsOfTheCanceled: [Flaw] = [
        leaves("keeps what a canceled commit ends") { changes, tables in
            for case .endAll(let account, _) in changes.sessions {
                tables.sessions = tables.sessions.filter { $1.account != account }
            }
        },
        leaves("keeps what a canceled commit revokes") { changes, tables in
            for case .revokeAll(let account, _) in changes.records {
                tables.records = tables.records.filter { $1.account != account }
            }
        },
        leaves("keeps the first batch of a canceled commit") { changes, tables in
            if changes.records.count < 25 { return }
            for case .put(let record) in changes.records.prefix(25) { tables.records[record.key] = record }
        },
    ]

    private static func isCanceledMeanwhile() async -> Bool {
        await pause()
        return Task.isCancelled
    }

    private static let cutsCanceledReads: [Flaw] = [
        .wraps("answers half of a load that is canceled") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                var left = await isCanceledMeanwhile() ? lookups.count / 2 : lookups.count
                return Snapshot(lookups) { lookup in
                    left -= 1
                    return left < 0 ? .nothing : seen.answer(to: lookup)
                }
            }
        },
        .wraps("shows half of a page of accounts that is canceled") { store in
            store.onAccounts = { after, limit, whole in
                let page = try await whole.accounts(after: after, limit: limit)
                return await isCanceledMeanwhile() ? Array(page.prefix(page.count / 2)) : page
            }
        },
        .wraps("shows half of a page of events that is canceled") { store in
            store.onEvents = { position, limit, whole in
                let page = try await whole.events(after: position, limit: limit)
                if await !isCanceledMeanwhile() { return page }
                let half = Array(page.events.prefix(page.events.count / 2))
                return Store.EventPage(events: half, removed: page.removed, end: page.end)
            }
        },
        .wraps("shows half of a page of messages that is canceled") { store in
            store.onMessages = { status, id, limit, whole in
                let page = try await whole.messages(status, after: id, limit: limit)
                return await isCanceledMeanwhile() ? Array(page.prefix(page.count / 2)) : page
            }
        },
    ]

    // MARK: Preconditions

    /// Looks at the owners of keys that move or are released, and moves them a moment later.
    private static let looksTooEarlyAtMoves: [Flaw] = [
        looksTooEarly(atMoves: "identities") { if case .identity = $0 { true } else { false } },
        looksTooEarly(atMoves: "numbers") { if case .phone = $0 { true } else { false } },
        looksTooEarly(atMoves: "addresses") { if case .primaryEmail = $0 { true } else { false } },
    ]

    private static func looksTooEarly(
        atMoves what: String,
        _ isMeant: @escaping @Sendable (UniqueKey) -> Bool
    ) -> Flaw {
        Flaw("looks too early at the owners of \(what) that move") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onCommit = { changes, whole in
                let moves = changes.keys.filter { isMeant($0.key) && $0.expected != nil && $0.expected != $0.owner }
                let owners = plain.tables.withLock { $0.owners }
                guard !moves.isEmpty, moves.allSatisfy({ owners[$0.key] == $0.expected }) else {
                    return try await whole.commit(changes)
                }
                await pause()
                var careless = changes
                let now = plain.tables.withLock { $0.owners }
                careless.keys = changes.keys.map { change in
                    moves.contains(change) ? KeyChange(change.key, from: now[change.key], to: change.owner) : change
                }
                return try await whole.commit(careless)
            }
            return StoreSubject(store)
        }
    }

    /// Keeps what it reads from being updated, and not from being removed.
    private static let readsWhatIsRemoved = Flaw("checks that what it read is there a moment before it writes") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onCommit = { changes, whole in
            let before = plain.tables.withLock { $0.accounts }
            if changes.reads.contains(where: { before[$0.id]?.version != $0.version }) {
                return try await whole.commit(changes)
            }
            await pause()
            var careless = changes
            let now = plain.tables.withLock { $0.accounts }
            careless.reads.removeAll { now[$0.id] == nil }
            return try await whole.commit(careless)
        }
        return StoreSubject(store)
    }

    // MARK: Parts

    private static let readsLargeLoadsInParts: [Flaw] = [
        Flaw("reads what is behind the first hundred lookups a moment later") { store in
            store.onLoad = { lookups, whole in
                let first = try await whole.load(lookups)
                if lookups.count <= 100 { return first }
                await pause()
                let second = try await whole.load(lookups)
                var left = 100
                return Snapshot(lookups) { lookup in
                    left -= 1
                    return (left < 0 ? second : first).answer(to: lookup)
                }
            }
        },
        Flaw("reads a long list of sessions in two steps") { store in
            store.onLoad = { lookups, whole in
                let first = try await whole.load(lookups)
                if lookups.allSatisfy({ first.answer(to: $0).sessionCount < 100 }) { return first }
                await pause()
                let second = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    guard case .sessions(let sessions) = first.answer(to: lookup),
                        case .sessions(let later) = second.answer(to: lookup)
                    else { return first.answer(to: lookup) }
                    let start = sessions.sorted { $0.id < $1.id }.prefix(100)
                    return .sessions(Array(start) + later.sorted { $0.id < $1.id }.dropFirst(100))
                }
            }
        },
    ]

    /// Locks one row after the other, those of a sweep too, and ends one of two that wait for each other.
    private static let sweepsInOrder = Flaw("locks what it sweeps in the order of the IDs") {
        let plain = PlainStore()
        let locks = Mutex(LockTable<OneTimeRecordID, OperationID>())
        let sweeps = Mutex<UInt128>(1 << 100)
        let lock: @Sendable ([OneTimeRecordID], OperationID) async throws -> Void = { keys, holder in
            for key in keys {
                while try !locks.withLock({ try $0.lock(key, for: holder) }) { await pause() }
                await Task.yield()
            }
        }
        return StoreSubject(open: {
            var store = FlawedStore(whole: plain)
            store.onCommit = { changes, whole in
                defer { locks.withLock { $0.release(changes.operation) } }
                // Commits lock their rows in one order, so that they do not wait for each other.
                let keys = changes.records.compactMap { if case .replace(let record) = $0 { record.key } else { nil } }
                try await lock(keys.sorted { $0 > $1 }, changes.operation)
                return try await whole.commit(changes)
            }
            store.onSweep = { now, limit, whole in
                let holder = sweeps.withLock { number in
                    number += 1
                    return OperationID(bits: number)
                }
                defer { locks.withLock { $0.release(holder) } }
                let due = plain.tables.withLock { $0.records.values.filter { !$0.isLive(at: now) }.map(\.key) }
                try await lock(Array(due.sorted().prefix(max(0, limit))), holder)
                return try await whole.sweep(at: now, limit: limit)
            }
            return store
        })
    }

    // MARK: Messages

    private static let writesWhatItEnds = Flaw("writes the message again whose lease it ends") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onEndLease = { id, tries, dueAt, whole in
            let seen = plain.tables.withLock { $0.messages.first { $0.entry.id == id && $0.tries == tries } }
            await pause()
            try await whole.endLease(of: id, tries: tries, dueAt: dueAt)
            guard var message = seen, message.dueAt != nil, dueAt != nil else { return }
            message.dueAt = dueAt
            plain.tables.withLock { tables in
                if !tables.messages.contains(where: { $0.entry.id == id }) { tables.messages.append(message) }
            }
        }
        return StoreSubject(store)
    }

    private static let pagesMessagesInTwoSteps = Flaw.wraps("reads messages a moment after their IDs") { store in
        store.onMessages = { status, id, limit, whole in
            let page = try await whole.messages(status, after: id, limit: limit)
            await pause()
            let now = try await whole.messages(status, after: id, limit: .max)
            return page.compactMap { message in now.first { $0.entry.id == message.entry.id } }
        }
    }

    /// The first of these messages whose texts are no longer than a mebibyte together.
    private static func upToAMebibyte(_ messages: [Store.QueuedMessage]) -> [Store.QueuedMessage] {
        var left = 1 << 20
        return Array(
            messages.prefix { message in
                left -= message.entry.settings?.continueURL?.utf8.count ?? 0
                return left >= 0
            }
        )
    }

    private static let cutsLargeMessages: [Flaw] = [
        .wraps("lists a mebibyte of messages") { store in
            store.onMessages = { upToAMebibyte(try await $3.messages($0, after: $1, limit: $2)) }
        },
        .wraps("leases a mebibyte of messages") { store in
            store.onLease = { upToAMebibyte(try await $3.leaseMessages(at: $0, until: $1, limit: $2)) }
        },
    ]
}

extension Snapshot.Answer {
    fileprivate var sessionCount: Int { if case .sessions(let sessions) = self { sessions.count } else { 0 } }
}
