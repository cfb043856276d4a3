@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of pages, of limits, and of what is told about the rest.
extension Flaw {
    static let pages: [String: [Flaw]] = [
        "a limit below one asks for nothing": takesNegativeLimitsForNone,
        "a page has as many accounts as it may while others are removed": readsPagesTwice,
        "accounts are paged in the order of their ids, while others are added": [pagesByNumber],
        "a reader of the whole log stays at its end": [endsAtTheStart],
        "a store places events itself, wherever they were": [keepsPositions],
        "a sweep that removes very many rows says whether some are left": [sweepsAThousand],
        "a sweep looks at the time of a row, not at its account": [refersToTheLiving],
        "a record stays when a session ends that it names": [endsChallenges],
        "many rows of each kind are seen together": [writesManyEventsLater, writesManyMessagesLater],
    ]

    private static let takesNegativeLimitsForNone: [Flaw] = [
        Flaw("pages all accounts for a limit of -1") { store in
            store.onAccounts = { try await $2.accounts(after: $0, limit: $1 < 0 ? 1000 : $1) }
        },
        Flaw("pages all due accounts for a limit of -1") { store in
            store.onDue = { try await $3.accounts(dueBy: $0, after: $1, limit: $2 < 0 ? 1000 : $2) }
        },
        Flaw("pages all events for a limit of -1") { store in
            store.onEvents = { try await $2.events(after: $0, limit: $1 < 0 ? 1000 : $1) }
        },
        Flaw("leases all messages for a limit of -1") { store in
            store.onLease = { try await $3.leaseMessages(at: $0, until: $1, limit: $2 < 0 ? 1000 : $2) }
        },
        Flaw("lists all messages for a limit of -1") { store in
            store.onMessages = { try await $3.messages($0, after: $1, limit: $2 < 0 ? 1000 : $2) }
        },
        Flaw("sweeps everything for a limit of -1") { store in
            store.onSweep = { try await $2.sweep(at: $0, limit: $1 < 0 ? 1000 : $1) }
        },
    ]

    /// Reads the IDs of a page, and then the accounts that are still there.
    private static func again(_ page: [Account], in whole: any IdentityStore) async throws -> [Account] {
        await pause()
        let seen = try await whole.load(Lookups(page.map { .account($0.id) }))
        return page.compactMap { seen[$0.id] }
    }

    private static let readsPagesTwice: [Flaw] = [
        .handles("reads a page of accounts in two steps") { store in
            store.onAccounts = { try await again($2.accounts(after: $0, limit: $1), in: $2) }
        },
        .handles("reads a page of due accounts in two steps") { store in
            store.onDue = { try await again($3.accounts(dueBy: $0, after: $1, limit: $2), in: $3) }
        },
    ]

    private static let pagesByNumber = Flaw("orders accounts by number") { store in
        store.onAccounts = { after, limit, whole in
            let all = try await whole.accounts(after: nil, limit: 1000).sorted { left, right in
                guard let first = Int(left.id.text), let second = Int(right.id.text) else { return left.id < right.id }
                return first < second
            }
            let rest = after.map { id in all.drop { $0.id != id }.dropFirst() } ?? all[...]
            return Array(rest.prefix(limit))
        }
    }

    private static let endsAtTheStart = Flaw("has no end where nothing follows") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            return page.events.isEmpty ? Store.EventPage(events: [], removed: page.removed, end: .start) : page
        }
    }

    private static let keepsPositions = edits("keeps the positions that events had") { before, changes, after in
        for (place, event) in zip(before.events.count..<after.events.count, changes.events)
        where event.position != .start {
            after.events[place] = event
        }
        after.events.sort { $0.position < $1.position }
    }

    private static let sweepsAThousand = Flaw("calls a sweep of a thousand rows complete") { store in
        store.onSweep = { now, limit, whole in
            var report = try await whole.sweep(at: now, limit: limit)
            if report.records + report.sessions >= 1000 { report.isComplete = true }
            return report
        }
    }

    private static let refersToTheLiving = prepares("writes references of accounts that are there") { changes, tables in
        var ids = Set(tables.accounts.keys)
        for case .create(let account) in changes.accounts { ids.insert(account.id) }
        changes.references.removeAll { !ids.contains($0.reference.account) }
    }

    private static let endsChallenges = edits("ends the challenges of a session that ends") { before, _, after in
        let ended = Set(before.sessions.keys).subtracting(after.sessions.keys)
        after.records = after.records.filter { _, record in
            guard case .factorChallenge(let challenge) = record.content, case .change(let session) = challenge.purpose
            else { return true }
            return !ended.contains(session)
        }
    }

    /// A store that writes what is more than a batch after the rest.
    private static func writesLater(
        _ name: String,
        _ take: @escaping @Sendable (inout ChangeSet, inout ChangeSet) -> Void
    ) -> Flaw {
        .handles("writes more than twenty-five \(name) after the change") { store in
            store.onCommit = { changes, whole in
                var first = changes
                var rest = ChangeSet(operation: OperationID(bits: changes.operation.bits ^ 1 << 96), at: changes.at)
                take(&first, &rest)
                if rest.events.count + rest.messages.count <= 25 { return try await whole.commit(changes) }
                let outcome = try await whole.commit(first)
                if outcome == .committed {
                    // Reading many rows takes longer than one statement.
                    for _ in 0..<20 { await pause() }
                    _ = try await whole.commit(rest)
                }
                return outcome
            }
        }
    }

    private static let writesManyEventsLater = writesLater("events") { ($1.events, $0.events) = ($0.events, []) }

    private static let writesManyMessagesLater = writesLater("messages") {
        ($1.messages, $0.messages) = ($0.messages, [])
    }
}
