@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws about which sessions and records a change or a sweep removes, and which are found.
extension Flaw {
    static let rows: [String: [Flaw]] = [
        "of unused sessions those end that were used longest ago, then those of the lowest IDs": endsOthers,
        "each purpose is revoked alone": revokesOthers,
        "a record that is replaced belongs to what it is then about": keepsOldPlaces,
        "what is gone is in no list and is not swept": keepsTraces,
        "what has expired is there until it is swept": hidesTheExpired,
        "a sweep leaves everything that does not expire": sweepsTooMuch,
        "a sweep removes as much as it may, and tells how much of each": sweepsTooLittle,
    ]

    // MARK: Sessions

    /// Ends the sessions that come first in another order.
    private static func ends(
        _ name: String,
        _ isBefore: @escaping @Sendable (Session, Session) -> Bool,
        keepingMore more: Int = 0,
        sparing isSpared: @escaping @Sendable (Session, SessionID) -> Bool = { $0.id == $1 },
        seenAs seen: @escaping @Sendable (Session, PlainTables) -> Session = { session, _ in session }
    ) -> Flaw {
        .edits(name) { before, changes, after in
            for case .endUnused(let account, let limit, let kept) in changes.sessions {
                let all = before.sessions.values.filter { $0.account == account }
                for session in all { after.sessions[session.id] = session }
                let unused = all.filter { !isSpared($0, kept) }.map { seen($0, before) }.sorted(by: isBefore)
                for session in unused.prefix(max(0, all.count - limit - more)) { after.sessions[session.id] = nil }
            }
        }
    }

    private static let endsOthers: [Flaw] = [
        ends("ends the unused sessions of the highest IDs") { ($0.activeAt, $1.id) < ($1.activeAt, $0.id) },
        ends("ends the sessions that were used last") { ($1.activeAt, $0.id) < ($0.activeAt, $1.id) },
        ends("ends the oldest sessions") { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) },
        ends("ends the sessions that were authenticated first") {
            ($0.authenticatedAt, $0.id) < ($1.authenticatedAt, $1.id)
        },
        ends("ends the sessions that expire first") {
            ($0.expiresAt ?? .distantFuture, $0.id) < ($1.expiresAt ?? .distantFuture, $1.id)
        },
        ends("ends the sessions of the lowest IDs") { $0.id < $1.id },
        ends("keeps one session more", { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }, keepingMore: 1),
        ends("ends one session more", { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }, keepingMore: -1),
        ends(
            "ends the session that is named",
            { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) },
            sparing: { _, _ in false }
        ),
        .prepares("ends one session at a time") { changes, tables in
            changes.sessions = changes.sessions.map { change in
                guard case .endUnused(let account, let limit, let kept) = change else { return change }
                let count = tables.sessions.values.count { $0.account == account }
                return .endUnused(account, keeping: max(limit, count - 1), besides: kept)
            }
        },
        .edits("takes sessions for used when they began") { before, changes, after in
            for case .update(let session, _) in changes.sessions {
                after.sessions[session.id]?.activeAt = before.sessions[session.id]?.activeAt ?? session.activeAt
            }
        },
        .edits("takes sessions for used never earlier than before") { before, changes, after in
            for case .update(let session, _) in changes.sessions {
                let old = before.sessions[session.id]?.activeAt ?? session.activeAt
                after.sessions[session.id]?.activeAt = max(old, session.activeAt)
            }
        },
    ]

    // MARK: Records

    private static let revokesOthers: [Flaw] = [
        .prepares("revokes every purpose where none is named") { changes, _ in
            changes.records = changes.records.map { change in
                guard case .revokeAll(let account, []) = change else { return change }
                return .revokeAll(account, OneTimeRecord.Purpose.allCases)
            }
        },
        .edits("revokes purposes that begin alike") { before, changes, after in
            for case .revokeAll(let account, let purposes) in changes.records {
                let names = purposes.map { $0.rawValue.prefix(5) }
                after.records = after.records.filter { _, record in
                    record.account != account || !names.contains(record.purpose.rawValue.prefix(5))
                }
            }
        },
        .edits("revokes one record of a purpose") { before, changes, after in
            for case .revokeAll(let account, let purposes) in changes.records {
                let meant = before.records.values.filter { $0.account == account && purposes.contains($0.purpose) }
                for record in meant.sorted(by: { $0.key < $1.key }).dropFirst() { after.records[record.key] = record }
            }
        },
        .edits("does not revoke undo records") { before, changes, after in
            for case .revokeAll in changes.records {
                for record in before.records.values where record.purpose == .undo { after.records[record.key] = record }
            }
        },
        .edits("revokes the purpose of every account") { _, changes, after in
            for case .revokeAll(_, let purposes) in changes.records {
                after.records = after.records.filter { !purposes.contains($1.purpose) }
            }
        },
    ]

    /// Lists records by what they were about at first.
    static func listsRecords(
        _ name: String,
        _ isListed: @escaping @Sendable (_ first: OneTimeRecord, _ now: OneTimeRecord, Lookup.Reference) -> Bool
    ) -> Flaw {
        .wraps(name) { store in
            let first = FirstValues<OneTimeRecordID, OneTimeRecord>()
            store.onCommit = { changes, whole in
                for case .put(let record) in changes.records { first.keep(record, under: record.key) }
                return try await whole.commit(changes)
            }
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    guard case .records(let reference, _) = lookup, case .records(let found) = seen.answer(to: lookup)
                    else { return seen.answer(to: lookup) }
                    return .records(
                        found.filter { record in
                            first[record.key].map { isListed($0, record, reference) } ?? true
                        }
                    )
                }
            }
        }
    }

    private static let keepsOldPlaces: [Flaw] = [
        listsRecords("lists a record where its account was at first") { first, now, _ in first.account == now.account },
        .edits("revokes by the account and purpose that a record had first") { before, changes, after in
            for case .revokeAll(let account, _) in changes.records {
                after.records = after.records.filter { _, record in
                    record.account == account || record.createdAt != changes.at || record.purpose != .verifyEmail
                }
            }
        },
        .edits("does not replace the account of a record") { before, changes, after in
            for case .replace(let record) in changes.records {
                after.records[record.key] = record.with(account: .some(before.records[record.key]?.account ?? nil))
            }
        },
        .edits("replaces the end of a record by a later one only") { before, changes, after in
            for case .replace(let record) in changes.records {
                guard let old = before.records[record.key]?.expiresAt, let new = record.expiresAt else { continue }
                after.records[record.key] = record.with(expiresAt: .some(max(old, new)))
            }
        },
        .edits("keeps the end of a record that is replaced by one without") { before, changes, after in
            for case .replace(let record) in changes.records where record.expiresAt == nil {
                after.records[record.key] = record.with(expiresAt: .some(before.records[record.key]?.expiresAt ?? nil))
            }
        },
    ]

    /// Counts in its sweeps what was removed before.
    private static let countsWhatIsGone = Flaw.wraps("counts what is gone in a sweep") { store in
        let removed = Mutex(0)
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            let uses = changes.records.count { if case .consume = $0 { true } else { false } }
            if outcome == .committed { removed.withLock { $0 += uses } }
            return outcome
        }
        store.onSweep = { now, limit, whole in
            var report = try await whole.sweep(at: now, limit: limit)
            report.records += removed.withLock { removed in
                defer { removed = 0 }
                return removed
            }
            return report
        }
    }

    /// Finds by one lookup what has ended.
    private static func finds(_ name: String, _ isFound: @escaping @Sendable (Lookup) -> Bool) -> Flaw {
        .wraps("finds \(name) that ended") { store in
            let records = FirstValues<OneTimeRecord.Purpose, OneTimeRecord>()
            let sessions = FirstValues<AccountID, Session>()
            store.onCommit = { changes, whole in
                for case .put(let record) in changes.records where record.expiresAt != nil {
                    records.keep(record, under: record.purpose)
                }
                for case .put(let session) in changes.sessions where session.expiresAt != nil {
                    sessions.keep(session, under: session.account)
                }
                return try await whole.commit(changes)
            }
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    let answer = seen.answer(to: lookup)
                    guard isFound(lookup) else { return answer }
                    switch (lookup, answer) {
                    case (.records(.account(let id), let purpose), .records(let found)):
                        guard let old = records[purpose], old.account == id, !found.contains(old) else { return answer }
                        return .records(found + [old])
                    case (.sessions(.account(let id)), .sessions(let found)):
                        guard let old = sessions[id], !found.contains(old) else { return answer }
                        return .sessions(found + [old])
                    case (.session(let id), .nothing):
                        return sessions["ben"].flatMap { $0.id == id ? .session($0) : nil } ?? answer
                    default: return answer
                    }
                }
            }
        }
    }

    private static let keepsTraces: [Flaw] = [
        countsWhatIsGone,
        finds("records by their account") { if case .records = $0 { true } else { false } },
        finds("sessions by their account") { if case .sessions = $0 { true } else { false } },
        finds("sessions by their IDs") { if case .session = $0 { true } else { false } },
        .wraps("never takes an ID of a session twice") { store in
            let used = Mutex<Set<SessionID>>([])
            store.onCommit = { changes, whole in
                for case .put(let session) in changes.sessions where used.withLock({ $0.contains(session.id) }) {
                    return .violated(.session(session.id))
                }
                let outcome = try await whole.commit(changes)
                if outcome == .committed {
                    used.withLock { used in for case .put(let session) in changes.sessions { used.insert(session.id) } }
                }
                return outcome
            }
        },
    ]

    // MARK: Sweeps

    private static let hidesTheExpired: [Flaw] = [
        .edits("removes what has expired by the time of a change") { _, changes, after in
            after.records = after.records.filter { $1.isLive(at: changes.at) }
        },
        .edits("removes sessions that have expired by the time of a change") { _, changes, after in
            after.sessions = after.sessions.filter { $1.expiresAt.map { changes.at < $0 } ?? true }
        },
        .judges("takes a record that has expired for none") { checks, tables in
            checks.first { check in
                guard case .record(let key) = check.precondition, let record = tables.records[key] else {
                    return !check.holds
                }
                return check.holds == (record.expiresAt.map { $0 <= Timestamp(seconds: 1_767_225_601) } ?? false)
            }?.precondition
        },
        .wraps("sweeps by the latest time that it has seen") { store in
            let latest = Mutex(Timestamp.distantPast)
            store.onCommit = { changes, whole in
                latest.withLock { $0 = max($0, changes.at) }
                return try await whole.commit(changes)
            }
            store.onSweep = { now, limit, whole in
                try await whole.sweep(at: max(now, latest.withLock { $0 }), limit: limit)
            }
        },
        .shows("lists no sessions that have an end") { lookup, answer in
            guard case .sessions(let sessions) = answer else { return answer }
            return .sessions(sessions.filter { ($0.expiresAt ?? .distantFuture) > Timestamp(seconds: 1_767_225_600) })
        },
        .shows("finds no account of a record that has expired") { lookup, answer in
            guard case .record(let record, _) = answer, let end = record.expiresAt else { return answer }
            return end <= Timestamp(seconds: 1_767_225_600) ? .record(record, nil) : answer
        },
    ]

    private static func sweeps(_ name: String, _ more: @escaping @Sendable (Timestamp, inout PlainTables) -> Void)
        -> Flaw
    {
        Flaw("sweeps \(name)") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onSweep = { now, limit, whole in
                plain.tables.withLock { more(now, &$0) }
                return try await whole.sweep(at: now, limit: limit)
            }
            return StoreSubject(store)
        }
    }

    private static let sweepsTooMuch: [Flaw] = [
        sweeps("messages") { now, tables in
            tables.messages.removeAll { $0.entry.expiresAt.map { $0 <= now } ?? false }
        },
        sweeps("messages that were given up") { $1.messages.removeAll { $0.dueAt == nil } },
        sweeps("accounts that are due") { now, tables in
            tables.accounts = tables.accounts.filter { $1.dueAt.map { $0 > now } ?? true }
        },
        sweeps("accounts that are due out of their list") { now, tables in
            for (id, account) in tables.accounts where account.dueAt.map({ $0 <= now }) ?? false {
                tables.accounts[id]?.dueAt = nil
            }
        },
        sweeps("events") { now, tables in tables.events.removeAll { $0.at + .days(1) < now } },
        sweeps("sign-ins") { now, tables in tables.signIns = tables.signIns.filter { now < $0.value + .days(30) } },
        sweeps("tombstones") { $1.records = $1.records.filter { $1.purpose != .tombstone } },
        sweeps("sessions that were not used for long") { now, tables in
            tables.sessions = tables.sessions.filter { now < $1.activeAt + .days(365) }
        },
        sweeps("records that were made long ago") { now, tables in
            tables.records = tables.records.filter { now < $1.createdAt + .days(365) }
        },
        sweeps("references of accounts without a session") { now, tables in
            let used = Set(tables.sessions.values.map(\.account))
            tables.references = tables.references.mapValues { $0.filter { used.contains($0.account) } }
        },
        sweeps("keys of accounts without a session") { now, tables in
            let used = Set(tables.sessions.values.map(\.account))
            tables.owners = tables.owners.filter { used.contains($0.value) }
        },
    ]

    private static func reports(
        _ name: String,
        _ report: @escaping @Sendable (Store.SweepReport) -> Store.SweepReport
    ) -> Flaw {
        .wraps(name) { store in
            store.onSweep = { now, limit, whole in report(try await whole.sweep(at: now, limit: limit)) }
        }
    }

    private static let sweepsTooLittle: [Flaw] = [
        reports("takes swept records for sessions") {
            Store.SweepReport(records: $0.sessions, sessions: $0.records, isComplete: $0.isComplete)
        },
        reports("tells how much was swept in one number") {
            Store.SweepReport(records: $0.records + $0.sessions, isComplete: $0.isComplete)
        },
        .wraps("sweeps a hundred rows and calls it all") { store in
            store.onSweep = { now, limit, whole in
                var report = try await whole.sweep(at: now, limit: min(limit, 100))
                report.isComplete = true
                return report
            }
        },
        .wraps("sweeps records and leaves sessions") { store in
            store.onSweep = { now, limit, whole in
                _ = try await whole.sweep(at: now, limit: min(limit, 30))
                return Store.SweepReport(records: 0, sessions: 0, isComplete: true)
            }
        },
        .wraps("sweeps twice as much as it may") { store in
            store.onSweep = { now, limit, whole in try await whole.sweep(at: now, limit: 2 * limit) }
        },
    ]
}
