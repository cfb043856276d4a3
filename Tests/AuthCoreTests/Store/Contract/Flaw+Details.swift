@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show in one detail of a change, a list or a time.
extension Flaw {
    static let details: [String: [Flaw]] = [
        "a list of references is not disturbed by that of another address": [cutsAddresses],
        "one change may write one list of references many times": [referencesBeforeItForgets],
        "times are kept and compared however far away": [findsDueIn32Bits],
        "every precondition is looked at, wherever it stands": [callsNothingCommitted],
        "a precondition is looked at behind however many others": [looksAtFiftyReads],
        "a record that is used where others are revoked must be there": judgesRowsAsTheyChange,
        "a sweep removes what has expired and nothing else": [
            sweepsWhatASessionAskedFor, overwritesTheExpired, findsWhatItSwept, countsSweeps,
        ],
        "what is done by a time is done to the millisecond": [leasesInTheOrderOfSeconds],
        "messages of either status are listed in the order of their IDs": [listsMessagesByTime],
        "a removed account leaves what the change does not remove": takesMoreWithIt,
        "what a change does to sessions is done in its order": [endsNoneThatIsNew],
        "what is due and what was read is known after the store is opened again": [sweepsEmptyLists],
        "a page is as long as it may be": [pagesByCreation],
        "an account is read back with everything that it has": changesClaims,
        "an event is read back with everything that it has": [mergesEvidence, keepsTenReasons],
        "a message is read back with everything that it has": [losesEmptySettings],
    ]

    // MARK: References

    /// Knows addresses by their first 64 bytes.
    private static let cutsAddresses = Flaw.wraps("cuts the addresses of references") { store in
        let cut: @Sendable (EmailAddress) -> EmailAddress = { email in
            email.text.utf8.count < 65 ? email : EmailAddress(String(email.text.prefix(60)) + "@cut.example") ?? email
        }
        store.onCommit = { changes, whole in
            var changes = changes
            changes.references = changes.references.map {
                .init(email: cut($0.email), reference: $0.reference, isReferenced: $0.isReferenced)
            }
            changes.referenceReads = changes.referenceReads.map { .init(email: cut($0.email), version: $0.version) }
            return try await whole.commit(changes)
        }
        store.onLoad = { lookups, whole in
            let names = lookups.map { lookup -> Lookup in
                if case .referencing(let email) = lookup { .referencing(cut(email)) } else { lookup }
            }
            let seen = try await whole.load(Lookups(names))
            let cuts = Dictionary(zip(lookups, names)) { first, _ in first }
            return Snapshot(lookups) { cuts[$0].map(seen.answer) ?? .nothing }
        }
    }

    private static let referencesBeforeItForgets = Flaw.prepares("writes new references before it ends old ones") {
        changes,
        _ in
        changes.references = changes.references.filter(\.isReferenced) + changes.references.filter { !$0.isReferenced }
    }

    // MARK: Times and orders

    private static let findsDueIn32Bits = Flaw("finds what is due by 32 bits of seconds") { store in
        store.onDue = { now, last, limit, whole in
            let time = now.seconds > Int64(Int32.max) ? Timestamp.distantFuture : now
            return try await whole.accounts(dueBy: time, after: last, limit: limit)
        }
    }

    private static let leasesInTheOrderOfSeconds = Flaw.wraps("leases in the order of seconds and IDs") { store in
        store.onLease = { now, end, limit, whole in
            try await whole.leaseMessages(at: now, until: end, limit: limit).sorted {
                ($0.entry.leasedUntil.seconds, $0.entry.id) < ($1.entry.leasedUntil.seconds, $1.entry.id)
            }
        }
    }

    private static let listsMessagesByTime = Flaw.wraps("lists messages in the order in which they are due") { store in
        store.onMessages = { status, id, limit, whole in
            let all = try await whole.messages(status, after: nil, limit: 1000)
                .sorted { ($0.entry.leasedUntil, $0.entry.id) < ($1.entry.leasedUntil, $1.entry.id) }
            let first = id.flatMap { id in all.firstIndex { $0.entry.id == id } }.map { $0 + 1 } ?? 0
            return Array(all[first...].prefix(limit))
        }
    }

    private static let pagesByCreation = Flaw.wraps("pages accounts in the order of their creation") { store in
        store.onAccounts = { id, limit, whole in
            let all = try await whole.accounts(after: id, limit: .max)
            return Array(all.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.prefix(limit))
        }
    }

    // MARK: Preconditions

    private static let callsNothingCommitted = Flaw.wraps("calls a change committed that writes nothing") { store in
        store.onCommit = { changes, whole in changes.isEmpty ? .committed : try await whole.commit(changes) }
    }

    private static let looksAtFiftyReads = Flaw.prepares("looks at the first fifty accounts that were read") {
        changes,
        _ in
        changes.reads = Array(changes.reads.prefix(50))
    }

    private static let judgesRowsAsTheyChange: [Flaw] = [
        .prepares("puts a record where the change has used one up") { changes, _ in
            for case .consume(let key) in changes.records {
                changes.records = changes.records.map { change in
                    if case .put(let record) = change, record.key == key { .replace(record) } else { change }
                }
            }
        },
        Flaw("uses up no record that the change has revoked") {
            var store = FlawedStore(whole: PlainStore())
            store.onCommit = { changes, whole in
                for case .revoke(let key) in changes.records where changes.records.contains(.consume(key)) {
                    return .violated(.record(key))
                }
                return try await whole.commit(changes)
            }
            return StoreSubject(store)
        },
    ]

    private static let overwritesTheExpired = Flaw.prepares("overwrites records that have expired") { changes, tables in
        changes.records = changes.records.map { change in
            guard case .put(let record) = change, let old = tables.records[record.key],
                let end = old.expiresAt, end <= changes.at
            else { return change }
            return .replace(record)
        }
    }

    // MARK: Sweeps and removals

    private static let sweepsWhatASessionAskedFor = Flaw("sweeps what a session asked for with it") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            let before = Set(plain.tables.withLock { $0.sessions.keys })
            let report = try await whole.sweep(at: now, limit: limit)
            plain.tables.withLock { tables in
                let gone = before.subtracting(tables.sessions.keys)
                tables.records = tables.records.filter { record in
                    record.value.content.asker.map { !gone.contains($0) } ?? true
                }
            }
            return report
        }
        return StoreSubject(store)
    }

    private static let findsWhatItSwept = Flaw("finds sessions by their IDs that it has swept") {
        let plain = PlainStore()
        let swept = Mutex<[SessionID: Session]>([:])
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            let before = plain.tables.withLock { $0.sessions }
            swept.withLock { $0.merge(before) { $1 } }
            return try await whole.sweep(at: now, limit: limit)
        }
        store.onLoad = { lookups, whole in
            let (seen, old) = (try await whole.load(lookups), swept.withLock { $0 })
            return Snapshot(lookups) { lookup in
                guard case .session(let id) = lookup, seen.session(id) == nil, let session = old[id] else {
                    return seen.answer(to: lookup)
                }
                return .session(session)
            }
        }
        return StoreSubject(store)
    }

    private static let countsSweeps = Flaw("moves the versions of accounts with a sweep") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            plain.tables.withLock { tables in
                for id in tables.accounts.keys { tables.accounts[id]?.version += 1 }
            }
            return try await whole.sweep(at: now, limit: limit)
        }
        return StoreSubject(store)
    }

    private static let sweepsEmptyLists = Flaw("forgets the versions of empty lists when it sweeps") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            plain.tables.withLock { tables in
                tables.listVersions = tables.listVersions.filter { tables.version(of: $0.key) != 0 }
            }
            return try await whole.sweep(at: now, limit: limit)
        }
        let flawed = store
        return StoreSubject(open: { flawed }, reopen: { flawed })
    }

    private static let takesMoreWithIt: [Flaw] = [
        .edits("ends the references of a removed account") { _, changes, after in
            for id in removed(changes) {
                after.references = after.references.mapValues { $0.filter { $0.account != id } }
            }
        },
        .edits("removes the events of a removed account") { _, changes, after in
            for id in removed(changes) { after.events.removeAll { $0.account == id } }
        },
        .edits("settles the messages of a removed account") { _, changes, after in
            for id in removed(changes) { after.messages.removeAll { $0.entry.account == id } }
        },
        .wraps("finds no sessions by the key of a removed account") { store in
            store.onLoad = { lookups, whole in
                var gone: Set<Lookup> = []
                for case .sessions(of: .owner(let key)) in lookups
                where try await whole.load([.owner(key)]).owner(of: key) == nil {
                    gone.insert(.sessions(of: .owner(key)))
                }
                let (seen, hidden) = (try await whole.load(lookups), gone)
                return Snapshot(lookups) { hidden.contains($0) ? .sessions([]) : seen.answer(to: $0) }
            }
        },
        Flaw("sweeps sessions without an account") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onSweep = { now, limit, whole in
                plain.tables.withLock { tables in
                    let accounts = tables.accounts
                    tables.sessions = tables.sessions.filter { accounts[$1.account] != nil }
                }
                return try await whole.sweep(at: now, limit: limit)
            }
            return StoreSubject(store)
        },
    ]

    // MARK: Sessions

    private static let endsNoneThatIsNew = Flaw.prepares("ends no session that began in the same change") {
        changes,
        tables in
        let new = changes.sessions.compactMap { if case .put(let session) = $0 { session } else { nil } }
        changes.sessions = changes.sessions.flatMap { change -> [Store.SessionChange] in
            guard case .endUnused(let account, let limit, let kept) = change else { return [change] }
            let old = tables.sessions.values.filter { $0.account == account && $0.id != kept }
                .filter { session in !changes.sessions.contains(.end(session.id)) }
                .sorted { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
            let count = old.count + new.count { $0.account == account }
            return old.prefix(max(0, count - limit)).map { .end($0.id) }
        }
    }

    // MARK: Values

    private static func changesClaims(
        _ name: String,
        _ change: @escaping @Sendable (ClaimValue) -> ClaimValue?
    ) -> Flaw {
        .writes(name) { changes in
            changes.accounts = changes.accounts.map { write in
                switch write {
                case .create(var account):
                    account.customClaims = account.customClaims.compactMapValues(change)
                    return .create(account)
                case .update(var account, let expected):
                    account.customClaims = account.customClaims.compactMapValues(change)
                    return .update(account, expected: expected)
                case .remove: return write
                }
            }
        }
    }

    private static let changesClaims: [Flaw] = [
        changesClaims("keeps whole numbers of claims as floating-point numbers") { claim in
            guard case .integer(let number) = claim else { return claim }
            return .integer(Int64(exactly: Double(number)) ?? number)
        },
        changesClaims("loses claims that are null") { $0 == .null ? nil : $0 },
    ]

    private static let mergesEvidence = Flaw.writes("keeps equal evidence of an event once") { changes in
        changes.events = changes.events.map { event in
            event.copy(evidence: event.evidence.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
    }

    private static let losesEmptySettings = Flaw.writes("takes settings that say nothing for none") { changes in
        changes.messages = changes.messages.map { entry in
            entry.settings == Message.Settings() ? entry.with(settings: .some(nil)) : entry
        }
    }

    private static let keepsTenReasons = Flaw.writes("keeps ten reasons of an event") { changes in
        changes.events = changes.events.map { $0.copy(reasons: Array($0.reasons.prefix(10))) }
    }
}
