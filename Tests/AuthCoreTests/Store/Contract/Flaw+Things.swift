@testable import AuthCore
import Foundation
import Synchronization

/// Flaws about sessions, one-time records, messages, sweeps and pages.
extension Flaw {
    // MARK: Sessions

    static let countsSignIns = Flaw("moves the version with a sign-in") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            for record in changes.signIns {
                guard var account = try await whole.load([.account(record.account)])[record.account] else { continue }
                var more = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                account.version += 1
                more.accounts = [.update(account, expected: account.version - 1)]
                _ = try await whole.commit(more)
            }
            return outcome
        }
    }

    static let endsNothing = Flaw.writes("ends no session") { changes in
        changes.sessions.removeAll { if case .end = $0 { true } else { false } }
    }

    static let endsTheKept = Flaw.writes("ends the session that is kept") { changes in
        changes.sessions = changes.sessions.map { change in
            guard case .endAll(let account, _) = change else { return change }
            return .endAll(account, except: nil)
        }
    }

    static let keepsAll = Flaw.writes("ends no account's sessions") { changes in
        changes.sessions.removeAll { if case .endAll = $0 { true } else { false } }
    }

    static let keepsTheUnused = Flaw.writes("keeps the sessions that were unused longest") { changes in
        changes.sessions.removeAll { if case .endUnused = $0 { true } else { false } }
    }

    static let endsTheNew = Flaw("ends sessions last") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            var last = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
            last.sessions = changes.sessions.filter { if case .endAll = $0 { true } else { false } }
            if case .committed = outcome { _ = try await whole.commit(last) }
            return outcome
        }
    }

    // MARK: One-time records

    static let losesCodes = Flaw.findsNothing("no codes of an account") {
        if case .records = $0 { true } else { false }
    }

    static let mixesPurposes = Flaw("finds records of any purpose") { store in
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .records(let reference, _) = lookup else { return seen.answer(to: lookup) }
                return seen.answer(to: .records(of: reference, .usedAssertion))
            }
        }
    }

    static let usesNothingUp = Flaw.writes("uses nothing up") { changes in
        changes.records.removeAll { if case .consume = $0 { true } else { false } }
    }

    static let replacesNothing = Flaw.writes("replaces nothing") { changes in
        changes.records.removeAll { if case .replace = $0 { true } else { false } }
    }

    static let revokesNothing = Flaw.writes("revokes no record by its ID") { changes in
        changes.records.removeAll { if case .revoke = $0 { true } else { false } }
    }

    static let revokesEveryPurpose = Flaw.writes("revokes every purpose") { changes in
        changes.records = changes.records.map { change in
            guard case .revokeAll(let account, _) = change else { return change }
            return .revokeAll(account, OneTimeRecord.Purpose.allCases)
        }
    }

    static let revokesNoPurpose = Flaw.writes("revokes no purpose") { changes in
        changes.records.removeAll { if case .revokeAll = $0 { true } else { false } }
    }

    static let keepsNoTombstones = Flaw.writes("keeps no tombstones") { changes in
        changes.records.removeAll { change in
            if case .put(let new) = change, new.purpose == .tombstone { true } else { false }
        }
    }

    static let reusesRemovedIDs = Flaw("makes accounts under the ids of removed ones") { store in
        store.onCommit = { changes, whole in
            for case .create(let account) in changes.accounts {
                var before = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                before.records = [.revoke(.tombstone(of: account.id))]
                _ = try await whole.commit(before)
            }
            return try await whole.commit(changes)
        }
    }

    // MARK: Messages

    static let leasesFromTheWriter = Flaw("leases what the writer has leased") { store in
        store.onLease = { now, end, limit, whole in
            try await whole.leaseMessages(at: now + .minutes(1), until: end, limit: limit)
        }
    }

    static let leasesToAll = Flaw("leases a message to everybody who asks") { store in
        store.onLease = { now, _, limit, whole in try await whole.leaseMessages(at: now, until: now, limit: limit) }
    }

    static let reversesMessages = Flaw("reverses messages") { store in
        store.onLease = { now, end, limit, whole in
            try await whole.leaseMessages(at: now, until: end, limit: limit).reversed()
        }
    }

    static let leasesWithoutLimit = Flaw("leases more messages than it may") { store in
        store.onLease = { now, end, limit, whole in
            try await whole.leaseMessages(at: now, until: end, limit: limit + 1)
        }
    }

    static let showsWhatItMayNotLease = Flaw("shows a message where it may lease none") { store in
        store.onLease = { now, end, limit, whole in
            if limit == 0 { return try await whole.messages(.waiting, after: nil, limit: 1) }
            return try await whole.leaseMessages(at: now, until: end, limit: limit)
        }
    }

    static let leasesByTheFirstTry = Flaw("leases messages in the order of their first tries") { store in
        store.onLease = { now, end, limit, whole in
            try await whole.leaseMessages(at: now, until: end, limit: limit)
                .sorted { $0.entry.leasedUntil < $1.entry.leasedUntil }
        }
    }

    static let triesAtOnce = Flaw("makes a message due at once") { store in
        store.onEndLease = { id, tries, dueAt, whole in
            try await whole.endLease(of: id, tries: tries, dueAt: dueAt.map { _ in Timestamp(seconds: 0) })
        }
    }

    static let givesNothingUp = Flaw("gives no message up") { store in
        store.onEndLease = { id, tries, dueAt, whole in
            if let dueAt { try await whole.endLease(of: id, tries: tries, dueAt: dueAt) }
        }
    }

    static let heedsEveryLease = Flaw("heeds a lease that is over") { store in
        store.onEndLease = { id, tries, dueAt, whole in
            let waiting = try await whole.messages(.waiting, after: nil, limit: .max)
            let actual = waiting.first { $0.entry.id == id }?.tries
            try await whole.endLease(of: id, tries: actual ?? tries, dueAt: dueAt)
        }
    }

    static let settlesNothing = Flaw("settles nothing") { store in
        store.onSettle = { _, _ in }
    }

    static let settlesUpTo = Flaw("settles everything up to a message") { store in
        store.onSettle = { ids, whole in
            let pending = try await whole.pendingMessages(limit: 100).map(\.id)
            guard let last = pending.lastIndex(where: ids.contains) else { return }
            try await whole.settleMessages(Array(pending[...last]))
        }
    }

    static let keepsFailures = Flaw("keeps failed messages that were settled") { store in
        store.onSettle = { ids, whole in
            let failed = Set(try await whole.messages(.failed, after: nil, limit: .max).map(\.entry.id))
            try await whole.settleMessages(ids.filter { !failed.contains($0) })
        }
    }

    static let mixesStatuses = Flaw("lists messages whatever their status") { store in
        store.onMessages = { _, id, limit, whole in
            let waiting = try await whole.messages(.waiting, after: id, limit: limit)
            return waiting + (try await whole.messages(.failed, after: id, limit: limit))
        }
    }

    static let repeatsMessages = Flaw("lists messages from the beginning") { store in
        store.onMessages = { status, _, limit, whole in try await whole.messages(status, after: nil, limit: limit) }
    }

    static let listsAllForNothing = Flaw("takes a limit of 0 for none, in lists of messages") { store in
        store.onMessages = { status, id, limit, whole in
            try await whole.messages(status, after: id, limit: limit == 0 ? 1000 : limit)
        }
    }

    // MARK: Sweeps

    static let sweepsTheLiving = Flaw("sweeps what lives a second longer") { store in
        store.onSweep = { now, limit, whole in
            try await whole.sweep(at: now + .milliseconds(1500), limit: limit)
        }
    }

    static let sweepsLate = Flaw("does not sweep what expires now") { store in
        store.onSweep = { now, limit, whole in
            try await whole.sweep(at: now - .milliseconds(1), limit: limit)
        }
    }

    static let sweepsWithoutLimit = Flaw("sweeps without a limit") { store in
        store.onSweep = { now, _, whole in try await whole.sweep(at: now, limit: 1000) }
    }

    static let sweepsAllForNothing = Flaw("takes a limit of 0 for none") { store in
        store.onSweep = { now, limit, whole in try await whole.sweep(at: now, limit: limit == 0 ? 1000 : limit) }
    }

    static let callsSweepsComplete = Flaw("calls every sweep complete") { store in
        store.onSweep = { now, limit, whole in
            var report = try await whole.sweep(at: now, limit: limit)
            report.isComplete = true
            return report
        }
    }

    // MARK: Pages

    static let pagesByPlace = Flaw("pages accounts by place") { store in
        let place = Mutex(0)
        store.onAccounts = { after, limit, whole in
            let all = try await whole.accounts(after: nil, limit: 1000)
            let first = place.withLock { place in
                if after == nil { place = 0 }
                defer { place += limit }
                return place
            }
            return Array(all.dropFirst(first).prefix(limit))
        }
    }

    static let takesNoLimitForNone = Flaw("takes a limit of 0 for none") { store in
        store.onAccounts = { after, limit, whole in
            try await whole.accounts(after: after, limit: limit == 0 ? 1000 : limit)
        }
    }

    static let pagesByLength = Flaw("orders accounts by length") { store in
        store.onAccounts = { after, limit, whole in
            let all = try await whole.accounts(after: nil, limit: 1000).sorted { left, right in
                let (left, right) = (left.id.text, right.id.text)
                return (left.count, left) < (right.count, right)
            }
            let rest = after.map { id in all.drop { $0.id != id }.dropFirst() } ?? all[...]
            return Array(rest.prefix(limit))
        }
    }
}
