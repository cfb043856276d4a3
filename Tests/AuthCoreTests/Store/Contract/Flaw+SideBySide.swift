@testable import AuthCore
import Synchronization

/// Flaws that show where many write or take at once and all of them may succeed.
extension Flaw {
    static let sideBySide: [String: [Flaw]] = [
        "what many write side by side is all there": rewritesLists,
        "of parallel first changes of different rules those of one are written": [looksAtTheRuleTooEarly],
        "a message that many lease at once goes to one of them": [leasesWhatItSaw],
        "a sign-in beside updates of its account is kept": [writesTheSignInThatItRead],
        "a lease that another took over ends nothing, and what is settled stays so": [
            endsWhatItSawLeased, leasesWhatIsSettled,
        ],
        "a version of a list that many write at once shows one list": [countsListsByWhatItSaw],
    ]

    private static let rewritesLists: [Flaw] = [
        .wraps("keeps an account's records in one row") { store in
            store.onCommit = { changes, whole in
                var before: [OneTimeRecord] = []
                for case .put(let record) in changes.records {
                    guard let account = record.account else { continue }
                    let name = Lookup.Reference.account(account)
                    before = try await whole.load([.records(of: name, record.purpose)]).records(
                        of: name,
                        record.purpose
                    )
                }
                await Flaw.pause()
                let outcome = try await whole.commit(changes)
                guard outcome == .committed, let purpose = before.first?.purpose, let account = before.first?.account
                else {
                    return outcome
                }
                var lost = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                let name = Lookup.Reference.account(account)
                let kept = Set(
                    before.map(\.key)
                        + changes.records.compactMap { if case .put(let new) = $0 { new.key } else { nil } }
                )
                lost.records = try await whole.load([.records(of: name, purpose)]).records(of: name, purpose)
                    .filter { !kept.contains($0.key) }.map { .revoke($0.key) }
                _ = try await whole.commit(lost)
                return outcome
            }
        },
        .wraps("keeps an account's sessions in one row") { store in
            store.onCommit = { changes, whole in
                guard case .put(let session)? = changes.sessions.first else { return try await whole.commit(changes) }
                let name = Lookup.Reference.account(session.account)
                let before = try await whole.load([.sessions(of: name)]).sessions(of: name)
                await Flaw.pause()
                let outcome = try await whole.commit(changes)
                var lost = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                let kept = Set(before.map(\.id) + [session.id])
                lost.sessions = try await whole.load([.sessions(of: name)]).sessions(of: name)
                    .filter { !kept.contains($0.id) }.map { .end($0.id) }
                _ = try await whole.commit(lost)
                return outcome
            }
        },
        losesTenths(of: "messages") { $0.messages = [] }, losesTenths(of: "sign-ins") { $0.signIns = [] },
        losesTenths(of: "due times") { changes in
            changes.accounts = changes.accounts.map { write in
                guard case .create(var account) = write else { return write }
                account.dueAt = nil
                return .create(account)
            }
        },
        losesTenths(of: "ends of sessions") { changes in
            changes.sessions = changes.sessions.map { change in
                guard case .put(var session) = change else { return change }
                session.expiresAt = nil
                return .put(session)
            }
        },
    ]

    private static func losesTenths(of what: String, _ lose: @escaping @Sendable (inout ChangeSet) -> Void) -> Flaw {
        .wraps("loses every tenth of many \(what) that are written at once") { store in
            let running = Mutex(0)
            store.onCommit = { changes, whole in
                var changes = changes
                let number = running.withLock { running in
                    running += 1
                    return running
                }
                await Flaw.pause()
                if number > 9 { lose(&changes) }
                let outcome = try await whole.commit(changes)
                running.withLock { $0 -= 1 }
                return outcome
            }
        }
    }

    private static let looksAtTheRuleTooEarly = Flaw.wraps("looks too early at the rule of keys") { store in
        let stored = Mutex<KeyRule?>(nil)
        store.onCommit = { changes, whole in
            if let rule = stored.withLock({ $0 }), let wanted = changes.keyRule, wanted != rule {
                return .violated(.keyRule(rule))
            }
            await Flaw.pause()
            stored.withLock { $0 = $0 ?? changes.keyRule }
            var unruled = changes
            unruled.keyRule = nil
            return try await whole.commit(unruled)
        }
    }

    private static let leasesWhatItSaw = Flaw.wraps("leases what it saw a moment ago") { store in
        store.onLease = { now, end, limit, whole in
            let seen = try await whole.messages(.waiting, after: nil, limit: 1000)
            let due = seen.filter { $0.dueAt.map { $0 <= now } ?? false }.prefix(limit)
            await Flaw.pause()
            _ = try await whole.leaseMessages(at: now, until: end, limit: limit)
            return due.map { Store.QueuedMessage($0.entry, tries: $0.tries + 1, dueAt: end) }
        }
    }

    private static let writesTheSignInThatItRead = Flaw.wraps("writes a sign-in with its account") { store in
        store.onCommit = { changes, whole in
            var changes = changes
            for case .update(let account, _) in changes.accounts where changes.signIns.isEmpty {
                let last = try await whole.load([.account(account.id)]).lastSignIn(of: account.id)
                await Flaw.pause()
                if let last { changes.signIns.append(Store.SignInRecord(account: account.id, at: last)) }
            }
            return try await whole.commit(changes)
        }
    }

    private static let endsWhatItSawLeased = Flaw.wraps("ends a lease that it saw a moment ago") { store in
        store.onEndLease = { id, tries, dueAt, whole in
            let seen = try await whole.messages(.waiting, after: nil, limit: 1000)
            guard seen.contains(where: { $0.entry.id == id && $0.tries == tries }) else { return }
            await Flaw.pause()
            for tries in [tries, tries + 1] { try await whole.endLease(of: id, tries: tries, dueAt: dueAt) }
        }
    }

    private static let leasesWhatIsSettled = Flaw.wraps("writes again what it leases") { store in
        store.onLease = { now, end, limit, whole in
            let leased = try await whole.leaseMessages(at: now, until: end, limit: limit)
            await Flaw.pause()
            let left = Set(try await whole.messages(.waiting, after: nil, limit: 1000).map(\.entry.id))
            for message in leased where !left.contains(message.entry.id) && message.entry.leasedUntil <= now {
                let operation = OperationID(bits: ~message.entry.id.bits)
                var again = ChangeSet(operation: operation, at: now)
                again.messages = [message.entry]
                _ = try await whole.commit(again)
            }
            return leased
        }
    }

    private static let countsListsByWhatItSaw = Flaw.wraps("counts a list by the version that it saw") { store in
        let versions = Mutex<[EmailAddress: UInt64]>([:])
        store.onCommit = { changes, whole in
            let seen = versions.withLock { $0 }
            await Flaw.pause()
            let outcome = try await whole.commit(changes)
            versions.withLock { versions in
                for change in changes.references { versions[change.email] = (seen[change.email] ?? 0) + 1 }
            }
            return outcome
        }
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .referencing(let email) = lookup, case .accounts(let rows, _) = seen.answer(to: lookup)
                else { return seen.answer(to: lookup) }
                return .accounts(rows, version: versions.withLock { $0[email] ?? 0 })
            }
        }
    }
}
