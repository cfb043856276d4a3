@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// Flaws of stores that keep copies, shorten what they keep, compare too little, or keep something in memory only.
extension Flaw {
    // MARK: Copies

    /// Shows an account as it was when this kind of row was written or first read.
    private static func copies(_ name: String, _ isCopied: @escaping @Sendable (Lookup) -> Bool) -> Flaw {
        Flaw("keeps a copy of the account beside \(name)") { store in
            let copies = Mutex<[Lookup: [Snapshot.Row]]>([:])
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    let answer = seen.answer(to: lookup)
                    guard isCopied(lookup) else { return answer }
                    return copies.withLock { copies in
                        let rows = answer.rows
                        let kept = copies[lookup, default: rows]
                        // A copy is written anew only where other accounts are meant.
                        copies[lookup] = kept.map(\.account.id) == rows.map(\.account.id) ? kept : rows
                        return answer.showing(copies[lookup] ?? rows)
                    }
                }
            }
        }
    }

    private static func keepsFirst(_ copies: borrowing Mutex<[AccountID: Account]>, _ accounts: [Account]) -> [Account]
    {
        copies.withLock { copies in
            accounts.map { account in
                let kept = copies[account.id] ?? account
                copies[account.id] = kept
                return kept
            }
        }
    }

    static let copiesAccounts: [Flaw] = [
        copies("keys") { if case .owner = $0 { true } else { false } },
        copies("records") { if case .record = $0 { true } else { false } },
        copies("references") { if case .referencing = $0 { true } else { false } },
        Flaw("pages copies of accounts") { store in
            let copies = Mutex<[AccountID: Account]>([:])
            store.onAccounts = { keepsFirst(copies, try await $2.accounts(after: $0, limit: $1)) }
        },
        Flaw("pages copies of due accounts") { store in
            let copies = Mutex<[AccountID: Account]>([:])
            store.onDue = { keepsFirst(copies, try await $3.accounts(dueBy: $0, after: $1, limit: $2)) }
        },
    ]

    static let remembersSignIns = Flaw("remembers the last sign-in of a removed account") { store in
        let times = Mutex<[AccountID: Timestamp]>([:])
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .account(let row) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                let last = row.lastSignIn ?? times.withLock { $0[row.account.id] }
                return .account(Snapshot.Row(row.account, lastSignIn: last))
            }
        }
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            if outcome == .committed {
                times.withLock { times in for record in changes.signIns { times[record.account] = record.at } }
            }
            return outcome
        }
    }

    // MARK: Less than what was written

    static let losesEventDetails: [Flaw] = [
        events("loses who caused an event") { $0.copy(actor: .system) },
        events("loses the reasons of an event") { $0.copy(reasons: []) },
        events("loses the evidence of an event") { $0.copy(evidence: []) },
        events("loses the methods of an event") { $0.copy(after: .some(nil)) },
        events("cuts the times of events to seconds") { $0.copy(at: Timestamp(seconds: $0.at.seconds)) },
    ]

    private static func events(_ name: String, _ spoil: @escaping @Sendable (IdentityEvent) -> IdentityEvent) -> Flaw {
        .writes(name) { $0.events = $0.events.map(spoil) }
    }

    static let cutsVersions = Flaw("keeps 32 bits of a version") { store in
        @Sendable func cut(_ version: UInt64) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: version)) }
        store.onCommit = { changes, whole in
            var changes = changes
            changes.accounts = changes.accounts.map { write in
                switch write {
                case .create(var account):
                    account.version = cut(account.version)
                    return .create(account)
                case .update(var account, let expected):
                    account.version = cut(account.version)
                    return .update(account, expected: cut(expected))
                case .remove(let id, let expected):
                    return .remove(id, expected: cut(expected))
                }
            }
            return try await whole.commit(changes)
        }
    }

    static let cutsExchanges = Flaw.shows("keeps 31 bits of how often a token was exchanged") { _, answer in
        guard case .session(var session) = answer else { return answer }
        session.refreshCount = min(session.refreshCount, UInt32(Int32.max))
        return .session(session)
    }

    static let revokesLast = Flaw.writes("revokes records last") { changes in
        let isRevocation = { (change: OneTimeRecordChange) in if case .revokeAll = change { true } else { false } }
        changes.records = changes.records.filter { !isRevocation($0) } + changes.records.filter(isRevocation)
    }

    // MARK: Addresses and numbers

    private static func mapsLocalParts(_ name: String, _ map: @escaping @Sendable (Substring) -> String) -> Flaw {
        mapsKeys(name) { key in
            guard case .primaryEmail(let email) = key else { return key }
            let parts = email.text.split(separator: "@")
            return EmailAddress(map(parts[0]) + "@" + parts[1]).map { .primaryEmail($0) } ?? key
        }
    }

    static let takesContactsForOne: [Flaw] = [
        mapsLocalParts("ignores dots in addresses") { String($0.filter { $0 != "." }) },
        mapsLocalParts("ignores what follows a plus in addresses") { String($0.prefix { $0 != "+" }) },
        mapsKeys("joins two domains of one mailbox by itself") { key in
            guard case .primaryEmail(let email) = key, email.domain == "googlemail.com" else { return key }
            return EmailAddress(email.text.replacing("googlemail", with: "gmail")).map { .primaryEmail($0) } ?? key
        },
        mapsKeys("compares the last ten digits of numbers") { key in
            guard case .phone(let number) = key else { return key }
            return PhoneNumber("+1" + number.text.suffix(10)).map { .phone($0) } ?? key
        },
        Flaw("searches references by pattern") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                let all = try await whole.accounts(after: nil, limit: 1000).map(\.id)
                return Snapshot(lookups) { lookup in
                    guard case .referencing(let email) = lookup, email.text.contains("_"), let first = all.first else {
                        return seen.answer(to: lookup)
                    }
                    let rows = seen.answer(to: lookup).rows
                    return .accounts(rows + [Snapshot.Row(Account(id: first, createdAt: .distantPast))], version: 1)
                }
            }
        },
    ]

    // MARK: In memory only

    static let losesDueTimes = reopens("loses what is due at its end") { whole in
        var store = FlawedStore(whole: whole)
        store.onDue = { _, _, _, _ in [] }
        return store
    }

    static let losesLeases = reopens("loses leases at its end") { whole in
        var store = FlawedStore(whole: whole)
        store.onLease = { now, end, limit, whole in
            try await whole.leaseMessages(at: now + .hours(1), until: end, limit: limit)
        }
        return store
    }

    static let losesFailures = reopens("tries again at its start what has failed") { whole in
        var store = FlawedStore(whole: whole)
        store.onMessages = { status, id, limit, whole in
            status == .failed ? [] : try await whole.messages(status, after: id, limit: limit)
        }
        return store
    }

    static let losesListVersions = reopens("counts the versions of lists anew") { whole in
        var store = FlawedStore(whole: whole)
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .accounts(let rows, _) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                return .accounts(rows, version: 1)
            }
        }
        return store
    }

    static let forgetsListReads = reopens("knows no list that was read before its end") { whole in
        var store = FlawedStore(whole: whole)
        store.onCommit = { changes, whole in
            var changes = changes
            changes.referenceReads = []
            return try await whole.commit(changes)
        }
        return store
    }

    static let losesKeyRule = reopens("takes the rule of its keys from its first change after a start") { whole in
        var store = FlawedStore(whole: whole)
        store.onCommit = { changes, whole in
            var changes = changes
            changes.keyRule = nil
            return try await whole.commit(changes)
        }
        return store
    }

    static let losesExpiries = reopens("sweeps only what it wrote since its start") { whole in
        var store = FlawedStore(whole: whole)
        store.onSweep = { _, _, _ in Store.SweepReport() }
        return store
    }
}

extension Snapshot.Answer {
    /// The accounts that the answer shows.
    fileprivate var rows: [Snapshot.Row] {
        switch self {
        case .account(let row): [row]
        case .accounts(let rows, _): rows
        case .record(_, let row): row.map { [$0] } ?? []
        default: []
        }
    }

    /// The same answer with these accounts.
    fileprivate func showing(_ rows: [Snapshot.Row]) -> Snapshot.Answer {
        switch self {
        case .account(let row): .account(rows.first ?? row)
        case .accounts(_, let version): .accounts(rows, version: version)
        case .record(let record, let row): .record(record, rows.first ?? row)
        default: self
        }
    }
}
