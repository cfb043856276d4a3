@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of what is first, greatest, listed twice, or about an account that is not there.
extension Flaw {
    static let extremes: [String: [Flaw]] = [
        "the greatest limit is a limit": limits,
        "the first moment of 1970 is a time": takesZeroForNone,
        "a list keeps what it contains twice, and its order": keepsSets,
        "identities that differ after thousands of bytes are two": cutsLongTexts,
        "a change that writes nothing is checked": checksWritersOnly,
        "references behind the list are found when those before them end": [keepsSixteenReferences],
        "of parallel removals and updates of one account one wins": [.looksTooEarly(.removals)],
        "a sweep looks at the time of a row, not at its account": sweepsByAccounts,
        "a message outlives the record and the account that it names": endsMessages,
        "rows that no account shows are there after the store is opened again": dropsHiddenRows,
        "the end of a lease may make a message due later than the lease did": [endsLeasesInTime],
        "what a handle has listed it lists anew": listsFromMemory,
        "an owner is seen with its sessions, and a removal with its tombstone": readsInTwoSteps,
        "what is zero or empty is not none": [dropsRecordGenerations, dropsEmptyCodes],
        "values are kept however large": cutsTexts,
    ]

    // MARK: Limits

    private static let limits: [Flaw] = [
        wraps("pages accounts by 32 bits") { store in
            store.onAccounts = { try await $2.accounts(after: $0, limit: Int(Int32(truncatingIfNeeded: $1))) }
        },
        wraps("reads one due account more than it may") { store in
            store.onDue = { now, after, limit, whole in
                Array(try await whole.accounts(dueBy: now, after: after, limit: limit &+ 1).prefix(limit))
            }
        },
        wraps("leases by 16 bits") { store in
            store.onLease = {
                try await $3.leaseMessages(at: $0, until: $1, limit: Int(Int16(truncatingIfNeeded: $2)))
            }
        },
        wraps("lists messages by 32 bits") { store in
            store.onMessages = { try await $3.messages($0, after: $1, limit: Int(Int32(truncatingIfNeeded: $2))) }
        },
        wraps("reads events by 32 bits") { store in
            store.onEvents = { try await $2.events(after: $0, limit: Int(Int32(truncatingIfNeeded: $1))) }
        },
        wraps("sweeps one row more than it may") { store in
            store.onSweep = { try await $2.sweep(at: $0, limit: $1 == 0 ? 0 : $1 &+ 1) }
        },
        wraps("calls a sweep of nothing complete") { store in
            store.onSweep = { now, limit, whole in
                let report = try await whole.sweep(at: now, limit: limit)
                return Store.SweepReport(
                    records: report.records,
                    sessions: report.sessions,
                    isComplete: report.isComplete || limit == 0
                )
            }
        },
    ]

    // MARK: Times

    private static let zero = Timestamp(milliseconds: 0)

    private static let takesZeroForNone: [Flaw] = [
        edits("takes the first moment for none: records") { _, _, after in
            after.records = after.records.mapValues { record in
                record.expiresAt == zero ? record.with(expiresAt: .some(nil)) : record
            }
        },
        edits("takes the first moment for none: sessions") { _, _, after in
            after.sessions = after.sessions.mapValues { session in
                var session = session
                if session.expiresAt == zero { session.expiresAt = nil }
                return session
            }
        },
        edits("takes the first moment for none: accounts") { _, _, after in
            after.accounts = after.accounts.mapValues { account in
                var account = account
                if account.dueAt == zero { account.dueAt = nil }
                return account
            }
        },
        edits("takes the first moment for none: sign-ins") { _, _, after in
            after.signIns = after.signIns.filter { $0.value != zero }
        },
        wraps("takes the first moment for none: messages") { store in
            store.onEndLease = { try await $3.endLease(of: $0, tries: $1, dueAt: $2 == zero ? nil : $2) }
        },
    ]

    private static let endsLeasesInTime = wraps("lets no lease end later than it was to end") { store in
        store.onEndLease = { id, tries, dueAt, whole in
            let leased = try await whole.messages(.waiting, after: nil, limit: 100).first { $0.entry.id == id }
            let latest = leased?.dueAt ?? .distantFuture
            try await whole.endLease(of: id, tries: tries, dueAt: dueAt.map { min($0, latest) })
        }
    }

    // MARK: Lists

    /// Each element once.
    private static func set<Element: Equatable>(_ list: [Element]) -> [Element] {
        list.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func lists(_ name: String, _ spoil: @escaping @Sendable (inout Account) -> Void) -> Flaw {
        edits(name) { _, _, after in
            after.accounts = after.accounts.mapValues { account in
                var account = account
                spoil(&account)
                return account
            }
        }
    }

    private static let keepsSets: [Flaw] = [
        lists("keeps a set of issuers") { $0.blockedIssuers = set($0.blockedIssuers) },
        lists("sorts issuers") { $0.blockedIssuers.sort() },
        lists("sorts reservations") { $0.reservations.sort { $0.until < $1.until } },
        lists("keeps a set of recovery codes") { $0.recoveryCodes = set($0.recoveryCodes) },
        edits("keeps a set of used methods") { _, _, after in
            after.sessions = after.sessions.mapValues { session in
                var session = session
                session.used = set(session.used)
                return session
            }
        },
        edits("keeps a set of reasons") { _, _, after in
            after.events = after.events.map { event in
                IdentityEvent(
                    event.kind,
                    at: event.at,
                    account: event.account,
                    actor: event.actor,
                    reasons: set(event.reasons)
                ).placed(at: event.position)
            }
        },
    ]

    private static let keepsSixteenReferences = edits("keeps the sixteen strongest references") { _, _, after in
        after.references = after.references.mapValues { Array($0.sorted().prefix(16)) }
    }

    private static let checksWritersOnly: [Flaw] = [
        writes("checks no change that only reads") { if $0.isEmptyButForReads { $0.reads = [] } },
        writes("checks no change that only reads lists") { if $0.isEmptyButForReads { $0.referenceReads = [] } },
        writes("checks no change that only expects owners") { if $0.isEmptyButForReads { $0.keys = [] } },
        writes("takes no rule from a change that writes nothing") { if $0.isEmptyButForReads { $0.keyRule = nil } },
    ]

    // MARK: Accounts that are not there

    private static func sweeps(_ name: String, _ sweep: @escaping @Sendable (inout PlainTables) -> Void) -> Flaw {
        Flaw(name) {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onSweep = { now, limit, whole in
                let report = try await whole.sweep(at: now, limit: limit)
                plain.tables.withLock { sweep(&$0) }
                return report
            }
            return StoreSubject(store)
        }
    }

    private static let sweepsByAccounts: [Flaw] = [
        sweeps("sweeps keys whose owners are gone") { tables in
            tables.owners = tables.owners.filter { tables.accounts[$0.value] != nil }
        },
        sweeps("sweeps records whose accounts are gone") { tables in
            tables.records = tables.records.filter { $0.value.account.map { tables.accounts[$0] != nil } ?? true }
        },
        sweeps("sweeps sessions whose accounts are gone") { tables in
            tables.sessions = tables.sessions.filter { tables.accounts[$0.value.account] != nil }
        },
        wraps("sweeps nothing while an account is locked") { store in
            store.onSweep = { now, limit, whole in
                let accounts = try await whole.accounts(after: nil, limit: 100)
                if accounts.contains(where: { $0.mergeLock != nil }) { return Store.SweepReport() }
                return try await whole.sweep(at: now, limit: limit)
            }
        },
    ]

    private static let endsMessages: [Flaw] = [
        edits("ends messages with their records") { before, _, after in
            after.messages.removeAll { before.records[$0.entry.record] != nil && after.records[$0.entry.record] == nil }
        },
        edits("ends messages with their accounts") { before, _, after in
            after.messages.removeAll { message in
                message.entry.account.map { before.accounts[$0] != nil && after.accounts[$0] == nil } ?? false
            }
        },
        wraps("settles no message that is named twice") { store in
            store.onSettle = { ids, whole in
                try await whole.settleMessages(ids.filter { id in ids.count { $0 == id } == 1 })
            }
        },
    ]

    private static let dropsHiddenRows: [Flaw] = [
        reopens("drops records without accounts at its start") { tables in
            tables.records = tables.records.filter { $0.value.account.map { tables.accounts[$0] != nil } ?? true }
        },
        reopens("drops sessions without accounts at its start") { tables in
            tables.sessions = tables.sessions.filter { tables.accounts[$0.value.account] != nil }
        },
        reopens("drops keys without accounts at its start") { tables in
            tables.owners = tables.owners.filter { tables.accounts[$0.value] != nil }
        },
        reopens("drops references without accounts at its start") { tables in
            tables.references = tables.references.mapValues { list in
                list.filter { tables.accounts[$0.account] != nil }
            }
        },
        reopens("drops references behind their list at its start") { tables in
            tables.references = tables.references.mapValues { Array($0.sorted().prefix(EmailReference.lookupLimit)) }
        },
        reopens("drops records without an account that have expired at its start") { tables in
            tables.records = tables.records.filter { $0.value.account != nil || $0.value.expiresAt == nil }
        },
    ]

    // MARK: Handles

    private static let listsFromMemory: [Flaw] = [
        .handles("pages accounts from a list of IDs that was read once") { store in
            let known = Mutex<Set<AccountID>?>(nil)
            store.onAccounts = { after, limit, whole in
                let all = try await whole.accounts(after: nil, limit: 100)
                let ids = known.withLock { known in
                    known = known ?? Set(all.map(\.id))
                    return known ?? []
                }
                return Array(
                    all.filter { account in
                        ids.contains(account.id) && after.map { $0 < account.id } ?? true
                    }.prefix(limit)
                )
            }
        },
        .handles("keeps the accounts that are due") { store in
            let known = Mutex<[Account]?>(nil)
            store.onDue = { now, after, limit, whole in
                let all = try await whole.accounts(dueBy: now, after: after, limit: limit)
                return known.withLock { known in
                    known = known ?? all
                    return known ?? []
                }
            }
        },
        .handles("lists messages that another handle has settled") { store in
            let known = Mutex<[Store.QueuedMessage]>([])
            store.onMessages = { status, id, limit, whole in
                let all = try await whole.messages(status, after: id, limit: limit)
                return known.withLock { known in
                    known = set(known + all).sorted { $0.entry.id < $1.entry.id }
                    return known
                }
            }
        },
        remembers("keeps an account that is made again with the version that it had") { old, new in
            guard case .account(let old) = old, case .account(let new) = new else { return false }
            return old.account.version == new.account.version
        },
    ]

    /// Reads twice, a moment apart, and shows what the body makes of both answers.
    private static func readsTwice(
        _ name: String,
        _ join: @escaping @Sendable (_ earlier: Snapshot.Answer, _ later: Snapshot.Answer) -> Snapshot.Answer
    ) -> Flaw {
        .handles(name) { store in
            store.onLoad = { lookups, whole in
                let earlier = try await whole.load(lookups)
                await pause()
                let later = try await whole.load(lookups)
                return Snapshot(lookups) { join(earlier.answer(to: $0), later.answer(to: $0)) }
            }
        }
    }

    private static let readsInTwoSteps: [Flaw] = [
        readsTwice("finds the sessions of an owner a moment before the owner") { earlier, later in
            if case .sessions = earlier { earlier } else { later }
        },
        readsTwice("looks for tombstones a moment before it looks for accounts") { earlier, later in
            if case .account = earlier, case .gone = later { .nothing } else { later }
        },
    ]

    // MARK: Members

    private static func records(
        _ name: String,
        _ spoil: @escaping @Sendable (OneTimeRecord) -> OneTimeRecord
    ) -> Flaw {
        edits(name) { _, _, after in after.records = after.records.mapValues(spoil) }
    }

    private static let dropsRecordGenerations = records("shows a record of generation 0 as one of none") { record in
        record.sessionGeneration == 0 ? record.with(sessionGeneration: .some(nil)) : record
    }

    private static let dropsEmptyCodes = records("shows an empty list of recovery codes as none") { record in
        guard case .recoverEmail(let recovery) = record.content, recovery.recoveryCodes == [] else { return record }
        let none = Store.EmailRecovery(
            restores: recovery.restores,
            replaced: recovery.replaced,
            generation: recovery.generation,
            suspendsLaterMethods: recovery.suspendsLaterMethods,
            recoveryCodes: nil
        )
        return record.with(content: .recoverEmail(none))
    }

    private static let cutsTexts: [Flaw] = [
        lists("cuts issuers at 255 bytes") { account in
            account.blockedIssuers = account.blockedIssuers.map { ExactText(String($0.text.prefix(255))) }
        },
        lists("cuts the names of claims at 255 characters") { account in
            let claims = account.customClaims.map { (String($0.key.prefix(255)), $0.value) }
            account.customClaims = Dictionary(claims) { first, _ in first }
        },
        edits("cuts languages at 255 bytes") { _, _, after in
            after.messages = after.messages.map { message in
                var settings = message.entry.settings
                if let language = settings?.language { settings?.language = String(language.prefix(255)) }
                let entry = message.entry.with(settings: .some(settings))
                return Store.QueuedMessage(entry, tries: message.tries, dueAt: message.dueAt)
            }
        },
    ]
}

extension ChangeSet {
    /// Whether the change writes no row; keys that only name their owner write none.
    fileprivate var isEmptyButForReads: Bool {
        accounts.isEmpty && keys.allSatisfy { $0.expected == $0.owner } && references.isEmpty && records.isEmpty
            && sessions.isEmpty && signIns.isEmpty && events.isEmpty && messages.isEmpty
    }
}
