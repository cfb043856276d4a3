@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of where a page of accounts or events begins, and of how long it is.
extension Flaw {
    static let pageBounds: [String: [Flaw]] = [
        "accounts that are due at one time are paged by ID, from the account as it was read": pagesDueAnew,
        "a page is as long as it may be": cutsPages,
    ]

    /// Pages what is due by another place than the one that was read.
    private static func pagesDue(
        _ name: String,
        from place: @escaping @Sendable (Account, any IdentityStore) async throws -> Account?
    ) -> Flaw {
        .wraps("pages what is due \(name)") { store in
            store.onDue = { now, after, limit, whole in
                var from: Account?
                if let after { from = try await place(after, whole) }
                return try await whole.accounts(dueBy: now, after: from, limit: limit)
            }
        }
    }

    private static let pagesDueAnew: [Flaw] = [
        pagesDue("from where an account is due now") { after, whole in
            try await whole.load([.account(after.id)])[after.id] ?? after
        },
        pagesDue("from the beginning where an account is gone") { after, whole in
            try await whole.load([.account(after.id)])[after.id] == nil ? nil : after
        },
        .wraps("orders what is due at one time as it was written") { store in
            let places = FirstValues<AccountID, Int>()
            let count = Mutex(0)
            store.onCommit = { changes, whole in
                for write in changes.accounts {
                    places.keep(
                        count.withLock { count in
                            count += 1
                            return count
                        },
                        under: write.id
                    )
                }
                return try await whole.commit(changes)
            }
            store.onDue = { now, after, limit, whole in
                let all = try await whole.accounts(dueBy: now, after: nil, limit: 1000)
                let place = { (account: Account) in (account.dueAt ?? .distantPast, places[account.id] ?? 0) }
                let left = all.filter { account in after.map { place($0) < place(account) } ?? true }
                return Array(left.sorted { place($0) < place($1) }.prefix(limit))
            }
        },
        .wraps("takes the earliest time for none") { store in
            store.onDue = { now, after, limit, whole in
                let all = try await whole.accounts(dueBy: now, after: after, limit: limit + 1)
                return Array(all.filter { $0.dueAt != .distantPast }.prefix(limit))
            }
        },
        .wraps("leaves out what is due at the end of time") { store in
            store.onDue = { now, after, limit, whole in
                let all = try await whole.accounts(dueBy: now, after: after, limit: limit)
                return all.filter { $0.dueAt != .distantFuture }
            }
        },
        .wraps("has one account more on each page of what is due") { store in
            store.onDue = { now, after, limit, whole in
                try await whole.accounts(dueBy: now, after: after, limit: limit + 1)
            }
        },
    ]

    private static let cutsPages: [Flaw] = [
        .wraps("has a hundred accounts on a page") { store in
            store.onAccounts = { try await $2.accounts(after: $0, limit: min($1, 100)) }
        },
        .wraps("has 256 accounts on a page of what is due") { store in
            store.onDue = { try await $3.accounts(dueBy: $0, after: $1, limit: min($2, 256)) }
        },
        .wraps("has 512 events on a page") { store in
            store.onEvents = { try await $2.events(after: $0, limit: min($1, 512)) }
        },
        .wraps("leaves out the event between two steps of a page") { store in
            store.onEvents = { position, limit, whole in
                let page = try await whole.events(after: position, limit: limit)
                let events = page.events.enumerated().filter { $0.offset != 256 }.map(\.element)
                return Store.EventPage(events: events, removed: page.removed, end: page.end)
            }
        },
        .wraps("repeats an account between two steps of a page") { store in
            store.onAccounts = { after, limit, whole in
                let page = try await whole.accounts(after: after, limit: limit)
                return page.count > 256 ? Array(page[..<256] + page[255..<(page.count - 1)]) : page
            }
        },
        .wraps("places events by their page") { store in
            store.onEvents = { position, limit, whole in
                let page = try await whole.events(after: position, limit: limit)
                guard position > .start, let last = page.events.last?.position else { return page }
                let events = page.events.map { $0.placed(at: $0.position == last ? page.end : $0.position) }
                return Store.EventPage(events: events, removed: page.removed, end: page.end)
            }
        },
    ]
}
