@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Handles that take what they have read last for what is stored, as the cache of an object mapper does.
extension Flaw {
    static let oldValues: [String: [Flaw]] = [
        "what a handle has read does not stand for what is stored": trustsRows + trustsOwners + [
            endsSessionsItHasRead, revokesRecordsItHasRead,
        ]
    ]

    private static let trustsRows: [Flaw] = [
        trusts("records that are consumed") { old, changes in
            if case .record(let key) = old { changes.records.contains(.consume(key)) } else { false }
        },
        trusts("records that are replaced") { old, changes in
            guard case .record(let key) = old else { return false }
            return changes.records.contains { if case .replace(let record) = $0 { record.key == key } else { false } }
        },
        trusts("the absence of records that are put") { old, changes in
            guard case .record(let key) = old else { return false }
            return changes.records.contains { if case .put(let record) = $0 { record.key == key } else { false } }
        },
        trusts("sessions") { old, _ in if case .session = old { true } else { false } },
        trusts("accounts that are only read") { old, changes in
            changes.reads.contains { old == .version($0.id) }
        },
        trusts("accounts that are updated") { old, changes in
            guard case .version(let id) = old else { return false }
            return changes.accounts.contains { if case .update = $0 { $0.id == id } else { false } }
        },
        trusts("accounts that are removed") { old, changes in
            if case .version(let id) = old { removed(changes).contains(id) } else { false }
        },
        trusts("the absence of tombstones") { old, _ in if case .absent = old { true } else { false } },
        trusts("lists of references") { old, _ in if case .references = old { true } else { false } },
    ]

    private static let trustsOwners: [Flaw] = [false, true].flatMap { isFree -> [Flaw] in
        [
            trusts("the owners of identities", thatAreFree: isFree) { if case .identity = $0 { true } else { false } },
            trusts("the owners of numbers", thatAreFree: isFree) { if case .phone = $0 { true } else { false } },
            trusts("the owners of addresses", thatAreFree: isFree) {
                if case .primaryEmail = $0 { true } else { false }
            },
        ]
    }

    private static func trusts(
        _ what: String,
        thatAreFree isFree: Bool,
        _ isMeant: @escaping @Sendable (UniqueKey) -> Bool
    ) -> Flaw {
        trusts("\(what)\(isFree ? " that are free" : "")") { old, changes in
            changes.keys.contains { change in
                old == .owner(change.key) && change.owner == change.expected && (change.owner == nil) == isFree
                    && isMeant(change.key)
            }
        }
    }

    private static let endsSessionsItHasRead = trusts("the list of sessions that end") { read, changes, before, after in
        for case .endAll(let account, _) in changes.sessions {
            guard let read = read[.sessions(of: .account(account))] else { continue }
            for session in before.sessions.values where session.account == account && read.sessions[session.id] == nil {
                after.sessions[session.id] = session
            }
        }
    }

    private static let revokesRecordsItHasRead = trusts("the list of records that are revoked") {
        read,
        changes,
        before,
        after in
        for case .revokeAll(let account, let purposes) in changes.records {
            for record in before.records.values where record.account == account && purposes.contains(record.purpose) {
                guard let read = read[.records(of: .account(account), record.purpose)] else { continue }
                if read.records[record.key] == nil { after.records[record.key] = record }
            }
        }
    }

    /// What a handle has read: of each lookup the tables as they were then.
    private typealias Read = [Lookup: PlainTables]

    /// Each handle checks a precondition that is meant against what it read last, and forgets that with each change.
    private static func trusts(
        _ what: String,
        _ isMeant: @escaping @Sendable (Store.Precondition, ChangeSet) -> Bool
    ) -> Flaw {
        trusts(what, isMeant, edit: { _, _, _, _ in })
    }

    /// Each handle changes what was written by what it read last, and forgets that with each change.
    private static func trusts(
        _ what: String,
        edit: @escaping @Sendable (Read, ChangeSet, _ before: PlainTables, _ after: inout PlainTables) -> Void
    ) -> Flaw {
        trusts(what, { _, _ in false }, edit: edit)
    }

    private static func trusts(
        _ what: String,
        _ isMeant: @escaping @Sendable (Store.Precondition, ChangeSet) -> Bool,
        edit: @escaping @Sendable (Read, ChangeSet, _ before: PlainTables, _ after: inout PlainTables) -> Void
    ) -> Flaw {
        Flaw("takes what it has read for what is stored: \(what)") {
            let plain = PlainStore()
            return StoreSubject(open: {
                let read = Mutex<Read>([:])
                var store = FlawedStore(whole: plain)
                store.onLoad = { lookups, _ in
                    let tables = plain.tables.withLock { $0 }
                    read.withLock { for lookup in lookups { $0[lookup] = tables } }
                    return tables.load(lookups)
                }
                store.onCommit = { changes, _ in
                    let read = read.withLock { read in
                        defer { read = [:] }
                        return read
                    }
                    return plain.tables.withLock { tables in
                        if tables.operations.contains(changes.operation) { return .duplicate }
                        let broken = tables.checks(of: changes).first { check in
                            if check.holds { return false }
                            guard isMeant(check.precondition, changes), let old = check.precondition.lookup else {
                                return true
                            }
                            return !(read[old]?.holds(check.precondition, of: changes) ?? false)
                        }
                        if let broken { return .violated(broken.precondition) }
                        let before = tables
                        tables.write(changes)
                        edit(read, changes, before, &tables)
                        return .committed
                    }
                }
                return store
            })
        }
    }
}

extension PlainTables {
    /// Whether every check of the precondition holds.
    fileprivate func holds(_ precondition: Store.Precondition, of changes: ChangeSet) -> Bool {
        checks(of: changes).allSatisfy { $0.holds || $0.precondition != precondition }
    }
}

extension Store.Precondition {
    /// What shows whether it holds.
    fileprivate var lookup: Lookup? {
        switch self {
        case .absent(let id), .version(let id): .account(id)
        case .owner(let key): .owner(key)
        case .references(let email): .referencing(email)
        case .record(let key): .record(key)
        case .session(let id): .session(id)
        case .keyRule: nil
        }
    }
}
