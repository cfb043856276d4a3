@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws about lists of references, pages of accounts and events, and messages.
extension Flaw {
    static let lists: [String: [Flaw]] = [
        "references of equally old accounts are found in the order of their IDs": misordersEqual,
        "a list of references has another version whenever it shows others": keepsVersions,
        "a list of references is not disturbed by that of another address": countsOtherLists,
        "one change may write one list of references many times": writesOneReference,
        "accounts that are due at one time are paged by ID, from the account as it was read": pagesDueAnew,
        "a page is as long as it may be": cutsPages,
        "a lease ends by its own number of tries and by no other": miscountsLeases,
        "messages of either status are listed in the order of their IDs": misordersMessages,
        "many messages are leased, given up and settled": sendsAHundred,
        "what one handle does to messages and to what is due the other sees": hasQueuesOfItsOwn,
    ]

    // MARK: References

    private static func orders(
        _ name: String,
        _ isBefore: @escaping @Sendable (EmailReference, EmailReference) -> Bool
    ) -> Flaw {
        Flaw("orders references \(name)") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                let tables = plain.tables.withLock { $0 }
                return Snapshot(lookups) { lookup in
                    guard case .referencing(let email) = lookup else { return seen.answer(to: lookup) }
                    let found = (tables.references[email] ?? []).sorted(by: isBefore).prefix(8)
                    let rows = found.compactMap { reference in
                        tables.accounts[reference.account].map {
                            Snapshot.Row($0, lastSignIn: tables.signIns[reference.account])
                        }
                    }
                    return .accounts(rows, version: tables.version(of: email))
                }
            }
            return StoreSubject(store)
        }
    }

    private static let misordersEqual: [Flaw] = [
        orders("by strength and age alone") {
            ($1.strength.rawValue, $0.createdAt) < ($0.strength.rawValue, $1.createdAt)
        },
        orders("of equal age by length") {
            ($1.strength.rawValue, $0.createdAt.milliseconds, $0.account.text.count, $0.account)
                < ($0.strength.rawValue, $1.createdAt.milliseconds, $1.account.text.count, $1.account)
        },
        orders("of equal age without regard to case") {
            ($1.strength.rawValue, $0.createdAt, $0.account.text.lowercased())
                < ($0.strength.rawValue, $1.createdAt, $1.account.text.lowercased())
        },
        orders("of equal age backwards") {
            ($1.strength.rawValue, $0.createdAt, $1.account) < ($0.strength.rawValue, $1.createdAt, $0.account)
        },
    ]

    /// Keeps the version of a list where some of what it shows is the same.
    private static func keepsVersion(
        _ name: String,
        _ isKept: @escaping @Sendable (_ before: [EmailReference], _ after: [EmailReference]) -> Bool
    ) -> Flaw {
        .edits("keeps the version of a list \(name)") { before, changes, after in
            for change in changes.references {
                let (old, new) = (before.found(change.email), after.found(change.email))
                if old != new, isKept(old, new) { after.listVersions[change.email] = before.listVersions[change.email] }
            }
        }
    }

    private static let keepsVersions: [Flaw] = [
        keepsVersion("that shows as many") { !$0.isEmpty && $0.count == $1.count && $0.count == 8 },
        keepsVersion("with the same first one") { $0.first == $1.first && $0.count == $1.count },
        keepsVersion("of the same accounts") { Set($0.map(\.account)) == Set($1.map(\.account)) },
        keepsVersion("of the same accounts in the same order") { $0.map(\.account) == $1.map(\.account) },
        keepsVersion("that becomes weaker") { left, right in
            zip(left, right).contains { $0.account == $1.account && $0.strength.rawValue > $1.strength.rawValue }
        },
        .edits("counts the versions of a list down where one leaves it") { before, changes, after in
            for change in changes.references where !change.isReferenced {
                after.listVersions[change.email] = before.listVersions[change.email].map { $0 - 7 }
            }
        },
    ]

    private static let countsOtherLists: [Flaw] = [
        .edits("has one version for all lists") { before, changes, after in
            if !changes.references.isEmpty { for email in after.listVersions.keys { after.listVersions[email]? += 7 } }
        },
        .judges("refuses every list once one changed") { checks, tables in
            let isChanged = tables.listVersions.values.contains { $0 > 1007 }
            let list = checks.first { if case .references = $0.precondition { isChanged } else { false } }
            return list?.precondition ?? checks.first { !$0.holds }?.precondition
        },
    ]

    private static let writesOneReference: [Flaw] = [
        .writes("writes the last reference of a change to an address") { changes in
            var last: [EmailAddress: Store.EmailReferenceChange] = [:]
            for change in changes.references { last[change.email] = change }
            changes.references = Array(last.values)
        },
        .writes("ends references last") { changes in
            changes.references = changes.references.filter(\.isReferenced)
        },
        .edits("compares how many a list shows") { before, changes, after in
            for change in changes.references where before.found(change.email).count == after.found(change.email).count {
                after.listVersions[change.email] = before.listVersions[change.email]
            }
        },
        .edits("keeps the version of a list that became empty") { before, changes, after in
            for change in changes.references where after.references[change.email] == [] && !change.isReferenced {
                after.references[change.email] = nil
                after.owners[.primaryEmail(change.email)] = nil
                after.listVersions[change.email] = 0
            }
            let ended = changes.references.filter { !$0.isReferenced }
            if ended.count > 5, let email = ended.first?.email {
                after.references[email] = ended.prefix(1).map(\.reference)
            }
        },
    ]

    // MARK: Pages

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

    // MARK: Messages

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
