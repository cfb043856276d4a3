import AuthCore
import Foundation

/// A store as an app would write it for a database: rows are bytes, and everything is done by what is public alone.
actor OwnStore: IdentityStore {
    private var accounts: [AccountID: [UInt8]] = [:]
    private var lastSignIns: [AccountID: Timestamp] = [:]
    private var keyRule: Store.KeyRule?
    private var owners: [Store.UniqueKey: AccountID] = [:]
    private var references: [EmailAddress: References] = [:]
    private var sessions = Rows<SessionID>()
    private var records = Rows<OneTimeRecordID>()
    private var log: [[UInt8]] = []
    private var outbox: [Store.OperationID: Store.QueuedMessage] = [:]
    private var operations: Set<Store.OperationID> = []

    nonisolated var retention: Store.Retention { Store.Retention(events: .all, operations: .seconds(Int64.max)) }

    func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot {
        try Store.Snapshot(lookups, answering: answer)
    }

    private func answer(to lookup: Store.Lookup) throws -> Store.Snapshot.Answer {
        switch lookup {
        case .account(let id):
            if let row = try row(id) { return .account(row) }
            return try tombstone(of: id).map { .gone($0) } ?? .nothing
        case .owner(let key): return try owners[key].flatMap(row).map { .account($0) } ?? .nothing
        case .referencing(let email):
            let list = references[email] ?? References()
            return .accounts(try list.found.map(\.account).compactMap(row), version: list.version)
        case .session(let id): return try sessions[id].map { .session(try read(Session.self, $0)) } ?? .nothing
        case .record(let key):
            return try record(key).map { .record($0, try $0.account.flatMap(row)) } ?? .nothing
        case .sessions(let reference):
            let id = id(of: reference)
            return .sessions(try allSessions().filter { $0.account == id })
        case .records(let reference, let purpose):
            guard let id = id(of: reference) else { return .records([]) }
            return .records(try allRecords().filter { $0.account == id && $0.purpose == purpose })
        }
    }

    private func row(_ id: AccountID) throws -> Store.Snapshot.Row? {
        try account(id).map { Store.Snapshot.Row($0, lastSignIn: lastSignIns[id]) }
    }

    private func id(of reference: Store.Lookup.Reference) -> AccountID? {
        switch reference {
        case .account(let id): id
        case .owner(let key): owners[key]
        }
    }

    func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        if operations.contains(changes.operation) { return .duplicate }
        if let violated = try violation(in: changes) { return .violated(violated) }
        keyRule = keyRule ?? changes.keyRule
        for write in changes.accounts {
            switch write {
            case .create(let account), .update(let account, _): accounts[account.id] = try bytes(account)
            case .remove(let id, _):
                accounts[id] = nil
                lastSignIns[id] = nil
            }
        }
        for change in changes.keys where change.owner != change.expected { owners[change.key] = change.owner }
        for change in changes.references {
            references[change.email, default: References()].apply(change)
        }
        for change in changes.records { try apply(change) }
        for change in changes.sessions { try apply(change) }
        for record in changes.signIns { lastSignIns[record.account] = record.at }
        for event in changes.events { log.append(try bytes(event)) }
        for message in changes.messages { outbox[message.id] = Store.QueuedMessage(message) }
        operations.insert(changes.operation)
        return .committed
    }

    func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        let ids = accounts.keys.sorted().filter { id in after.map { $0 < id } ?? true }
        return try ids.prefix(max(0, limit)).compactMap(account)
    }

    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        var due: [(at: Timestamp, account: Account)] = []
        for bytes in accounts.values {
            let account = try read(Account.self, bytes)
            if let at = account.dueAt, at <= now { due.append((at, account)) }
        }
        due.sort { ($0.at, $0.account.id) < ($1.at, $1.account.id) }
        if let after, let at = after.dueAt { due.removeAll { ($0.at, $0.account.id) <= (at, after.id) } }
        return due.prefix(max(0, limit)).map(\.account)
    }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        // Every second number, since positions may have gaps.
        let places = log.indices.filter { self.position($0) > position }.prefix(max(0, limit))
        let events = try places.map { try read(IdentityEvent.self, log[$0]).placed(at: self.position($0)) }
        return Store.EventPage(events: events, end: log.isEmpty ? .start : self.position(log.count - 1))
    }

    private func position(_ place: Int) -> IdentityEvent.Position {
        IdentityEvent.Position(incarnation: 1, number: 2 * UInt64(place))
    }

    /// The rows are lost with the process, so no secret key must outlive it.
    nonisolated var isDurable: Bool { false }

    func leaseMessages(
        at now: Timestamp,
        until end: Timestamp,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        let due = outbox.values.compactMap { message in message.dueAt.map { (at: $0, message: message) } }
            .filter { $0.at <= now }
            .sorted { ($0.at, $0.message.entry.id) < ($1.at, $1.message.entry.id) }
        return due.prefix(max(0, limit)).map { _, message in
            var message = message
            message.tries += 1
            message.dueAt = end
            outbox[message.entry.id] = message
            return message
        }
    }

    func endLease(of id: Store.OperationID, tries: Int, dueAt: Timestamp?) async throws {
        guard let message = outbox[id], message.tries == tries, message.status == .waiting else { return }
        outbox[id]?.dueAt = dueAt
    }

    func messages(
        _ status: Store.DeliveryStatus,
        after id: Store.OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        let found = outbox.values.filter { message in
            message.status == status && id.map { $0 < message.entry.id } ?? true
        }
        return Array(found.sorted { $0.entry.id < $1.entry.id }.prefix(max(0, limit)))
    }

    func settleMessages(_ ids: [Store.OperationID]) async throws {
        for id in ids { outbox[id] = nil }
    }

    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        let expired = try allRecords().filter { !$0.isLive(at: now) }.prefix(max(0, limit))
        for record in expired { records[record.key] = nil }
        let over = try allSessions().filter { session in session.expiresAt.map { now >= $0 } ?? false }
            .prefix(max(0, limit - expired.count))
        for session in over { sessions[session.id] = nil }
        let count = expired.count + over.count
        return Store.SweepReport(records: expired.count, sessions: over.count, isComplete: count < limit)
    }
}

extension OwnStore {
    private func violation(in changes: Store.ChangeSet) throws -> Store.Precondition? {
        if let keyRule, let wanted = changes.keyRule, wanted != keyRule { return .keyRule(keyRule) }
        for write in changes.accounts {
            switch write {
            case .create(let account):
                if accounts[account.id] != nil { return .absent(account.id) }
                if let tombstone = try tombstone(of: account.id),
                    !changes.records.contains(.consume(tombstone.key))
                {
                    return .absent(account.id)
                }
            case .update(let account, let expected):
                if try self.account(account.id)?.version != expected { return .version(account.id) }
            case .remove(let id, let expected):
                if try account(id)?.version != expected { return .version(id) }
            }
        }
        for read in changes.reads where try account(read.id)?.version != read.version {
            return .version(read.id)
        }
        for read in changes.referenceReads where references[read.email]?.version ?? 0 != read.version {
            return .references(read.email)
        }
        for change in changes.keys where owners[change.key] != change.expected { return .owner(change.key) }
        for change in changes.records {
            switch change {
            case .put(let new): if records[new.key] != nil { return .record(new.key) }
            case .replace(let new): if records[new.key] == nil { return .record(new.key) }
            case .consume(let key): if records[key] == nil { return .record(key) }
            case .revoke, .revokeAll: break
            }
        }
        for change in changes.sessions {
            switch change {
            case .put(let session): if sessions[session.id] != nil { return .session(session.id) }
            case .update(let session, let count):
                let found = try sessions[session.id].map { try read(Session.self, $0) }
                if found?.refreshCount != count { return .session(session.id) }
            case .end, .endAll, .endUnused: break
            }
        }
        return nil
    }

    private func apply(_ change: Store.OneTimeRecordChange) throws {
        switch change {
        case .put(let record), .replace(let record): records[record.key] = try bytes(record)
        case .consume(let key), .revoke(let key): records[key] = nil
        case .revokeAll(let account, let purposes):
            for record in try allRecords()
            where record.account == account && purposes.contains(record.purpose) {
                records[record.key] = nil
            }
        }
    }

    private func apply(_ change: Store.SessionChange) throws {
        switch change {
        case .put(let session), .update(let session, _): sessions[session.id] = try bytes(session)
        case .end(let id): sessions[id] = nil
        case .endAll(let account, let kept):
            for session in try allSessions() where session.account == account && session.id != kept {
                sessions[session.id] = nil
            }
        case .endUnused(let account, let limit, let kept):
            let all = try allSessions().filter { $0.account == account }
            let unused = all.filter { $0.id != kept }.sorted { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
            for session in unused.prefix(max(0, all.count - limit)) { sessions[session.id] = nil }
        }
    }

    private func account(_ id: AccountID) throws -> Account? {
        try accounts[id].map { try read(Account.self, $0) }
    }

    private func tombstone(of id: AccountID) throws -> Store.OneTimeRecord? { try record(.tombstone(of: id)) }

    private func record(_ key: OneTimeRecordID) throws -> Store.OneTimeRecord? {
        try records[key].map { try read(Store.OneTimeRecord.self, $0) }
    }

    private func allRecords() throws -> [Store.OneTimeRecord] {
        try records.all.map { try read(Store.OneTimeRecord.self, $0) }
    }

    private func allSessions() throws -> [Session] { try sessions.all.map { try read(Session.self, $0) } }

    private func bytes(_ value: some Store.StoredRecord) throws -> [UInt8] { try Store.RecordCoder().encode(value) }

    private func read<Record: Store.StoredRecord>(_ type: Record.Type, _ bytes: [UInt8]) throws -> Record {
        try Store.RecordCoder().decode(type, from: bytes)
    }
}

/// The references to one address, with a version that changes when the first of them do; a list is never removed.
private struct References {
    private var all: [Store.EmailReference] = []
    private var changes: UInt64 = 0

    /// An empty list is always the same one.
    var version: UInt64 { all.isEmpty ? 0 : changes }

    var found: [Store.EmailReference] { Array(all.prefix(Store.EmailReference.lookupLimit)) }

    mutating func apply(_ change: Store.EmailReferenceChange) {
        let before = found
        all.removeAll { $0.account == change.reference.account }
        if change.isReferenced { all.append(change.reference) }
        all.sort()
        if found != before { changes += 1 }
    }
}

/// Rows of bytes under their keys, in the order in which they came.
private struct Rows<Key: Hashable> {
    private var values: [Key: [UInt8]] = [:]
    private var order: [Key] = []

    var all: [[UInt8]] { order.compactMap { values[$0] } }

    subscript(key: Key) -> [UInt8]? {
        get { values[key] }
        set {
            if newValue == nil {
                order.removeAll { $0 == key }
            } else if values[key] == nil {
                order.append(key)
            }
            values[key] = newValue
        }
    }
}
