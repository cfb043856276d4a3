@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// Flaws about lists, references, due accounts and precision.
extension Flaw {
    // MARK: References

    static func lists(_ name: String, _ spoil: @escaping @Sendable ([Snapshot.Row]) -> [Snapshot.Row]) -> Flaw {
        .shows(name) { _, answer in
            guard case .accounts(let rows, let version) = answer else { return answer }
            return .accounts(spoil(rows), version: version)
        }
    }

    static let misordersReferences: [Flaw] = [
        .lists("reverses references") { $0.reversed() },
        .lists("orders references by id") { $0.sorted { $0.account.id < $1.account.id } },
        .lists("orders references by age") { $0.sorted { $0.account.createdAt < $1.account.createdAt } },
        .lists("finds seven references") { Array($0.prefix(7)) },
    ]

    static let countsStrangers = Flaw("raises a list's version for every reference") { store in
        let added = Mutex<[EmailAddress: UInt64]>([:])
        store.onCommit = { changes, whole in
            var changes = changes
            let counts = added.withLock { $0 }
            for (index, read) in changes.referenceReads.enumerated() {
                let version = try await whole.load([.referencing(read.email)]).referenceVersion(of: read.email)
                let isCurrent = read.version == version &+ (counts[read.email] ?? 0) << 32
                changes.referenceReads[index] = .init(email: read.email, version: isCurrent ? version : .max)
            }
            let outcome = try await whole.commit(changes)
            if outcome == .committed {
                added.withLock { added in for change in changes.references { added[change.email, default: 0] += 1 } }
            }
            return outcome
        }
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            let counts = added.withLock { $0 }
            return Snapshot(lookups) { lookup in
                guard case .referencing(let email) = lookup,
                    case .accounts(let rows, let version) = seen.answer(to: lookup)
                else { return seen.answer(to: lookup) }
                return .accounts(rows, version: version &+ (counts[email] ?? 0) << 32)
            }
        }
    }

    // MARK: Lists

    static let cutsLists: [Flaw] = [16, 1000].flatMap { limit in
        [
            .shows("cuts lists of sessions at \(limit)") { _, answer in
                if case .sessions(let sessions) = answer { .sessions(Array(sessions.prefix(limit))) } else { answer }
            },
            .shows("cuts lists of records at \(limit)") { _, answer in
                if case .records(let records) = answer { .records(Array(records.prefix(limit))) } else { answer }
            },
        ]
    }

    static let cutsLoads: [Flaw] = [100, 1000].map { limit in
        Flaw("answers \(limit) lookups") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(Lookups(lookups.prefix(limit)))
                var left = lookups.startIndex..<min(limit, lookups.endIndex)
                return Snapshot(lookups) { left.popFirst() == nil ? .nothing : seen.answer(to: $0) }
            }
        }
    }

    static let cutsLongPages: [Flaw] = [
        Flaw("pages a thousand accounts at most") { store in
            store.onAccounts = { try await $2.accounts(after: $0, limit: min($1, 1000)) }
        },
        Flaw("lists a thousand messages at most") { store in
            store.onMessages = { try await $3.messages($0, after: $1, limit: min($2, 1000)) }
        },
        Flaw("settles a thousand messages at most") { store in
            store.onSettle = { try await $1.settleMessages(Array($0.prefix(1000))) }
        },
    ]

    static let leavesAccountsOut = Flaw("leaves every fiftieth account out of pages") { store in
        store.onAccounts = { after, limit, whole in
            let all = try await whole.accounts(after: nil, limit: 10_000)
            let left = all.enumerated().filter { $0.offset % 50 != 49 }.map(\.element)
            return Array(left.filter { account in after.map { $0 < account.id } ?? true }.prefix(limit))
        }
    }

    static let reversesMethods = Flaw.shows("reverses methods") { _, answer in
        guard case .account(let row) = answer else { return answer }
        var account = row.account
        account.methods.reverse()
        return .account(Snapshot.Row(account, lastSignIn: row.lastSignIn))
    }

    static let writesEventsBackwards = Flaw.writes("writes the events of a commit backwards") { $0.events.reverse() }

    // MARK: Times

    /// Writes every time of a kind as another one.
    private static func keepsTimes(
        _ name: String,
        as near: @escaping @Sendable (Timestamp) -> Timestamp
    ) -> [Flaw] {
        [
            .writes("keeps due times \(name)") { changes in
                changes.accounts = changes.accounts.map { write in
                    guard case .create(var account) = write else { return write }
                    account.dueAt = account.dueAt.map(near)
                    return .create(account)
                }
            },
            .writes("keeps sign-ins \(name)") { changes in
                changes.signIns = changes.signIns.map { Store.SignInRecord(account: $0.account, at: near($0.at)) }
            },
            .writes("keeps the ends of sessions \(name)") { changes in
                changes.sessions = changes.sessions.map { change in
                    guard case .put(var session) = change else { return change }
                    session.expiresAt = session.expiresAt.map(near)
                    return .put(session)
                }
            },
        ]
    }

    static let cutsTimes = keepsTimes("to the second") { Timestamp(seconds: $0.seconds) }

    /// Writes times that a narrow column does not hold as the nearest one that it does.
    private static func narrows(_ name: String, to times: ClosedRange<Timestamp>) -> [Flaw] {
        @Sendable func near(_ time: Timestamp) -> Timestamp { min(max(time, times.lowerBound), times.upperBound) }
        return keepsTimes(name, as: near) + [
            .writes("keeps events \(name)") { changes in
                changes.events = changes.events.map { $0.copy(at: near($0.at)) }
            }
        ]
    }

    static let knowsFewTimes: [Flaw] =
        narrows("from 1970 on", to: Timestamp(milliseconds: 0) ... .distantFuture)
        + narrows("until January 2038", to: .distantPast...Timestamp(seconds: Int64(Int32.max)))
        + narrows("until February 2106", to: .distantPast...Timestamp(seconds: Int64(UInt32.max)))
        + narrows("in years of four digits", to: .distantPast...Timestamp(seconds: 253_402_300_799)) + [
            Flaw("leases what is due far away first") { store in
                store.onLease = { now, end, limit, whole in
                    try await whole.leaseMessages(at: now, until: end, limit: limit).sorted {
                        UInt64(bitPattern: $0.entry.leasedUntil.milliseconds)
                            < UInt64(bitPattern: $1.entry.leasedUntil.milliseconds)
                    }
                }
            },
            Flaw("sweeps nothing that expired before 1970") { store in
                store.onSweep = { now, limit, whole in
                    if now.milliseconds < 0 { return Store.SweepReport() }
                    return try await whole.sweep(at: now, limit: limit)
                }
            },
        ]

    // MARK: Due accounts

    static let misreadsDueTimes: [Flaw] = [
        Flaw("finds what is due a minute later") { store in
            store.onDue = { try await $3.accounts(dueBy: $0 + .seconds(60), after: $1, limit: $2) }
        },
        Flaw("does not find what is due now") { store in
            store.onDue = { try await $3.accounts(dueBy: $0 - .milliseconds(1), after: $1, limit: $2) }
        },
        Flaw("orders what is due by id") { store in
            store.onDue = { try await $3.accounts(dueBy: $0, after: $1, limit: $2).sorted { $0.id < $1.id } }
        },
        Flaw("begins every page of what is due anew") { store in
            store.onDue = { now, _, limit, whole in try await whole.accounts(dueBy: now, after: nil, limit: limit) }
        },
        Flaw("pages what is due by the time alone") { store in
            store.onDue = { now, after, limit, whole in
                let all = try await whole.accounts(dueBy: now, after: nil, limit: 1000)
                let last = after?.dueAt ?? .distantPast
                return Array(all.filter { $0.dueAt ?? .distantPast > last }.prefix(limit))
            }
        },
        .writes("sets due times of new accounts only") { changes in
            changes.accounts.removeAll { if case .update = $0 { true } else { false } }
        },
    ]

    // MARK: Sweeps

    static let sweepsByTheFirstTime = Flaw("sweeps by the time that a row had first") { store in
        let first = Mutex<[OneTimeRecordID: Timestamp]>([:])
        store.onCommit = { changes, whole in
            for case .put(let record) in changes.records {
                if let time = record.expiresAt { first.withLock { $0[record.key] = time } }
            }
            return try await whole.commit(changes)
        }
        store.onSweep = { now, limit, whole in
            var more = ChangeSet(operation: OperationID(bits: UInt128(now.milliseconds.magnitude) << 90), at: now)
            more.records = first.withLock { $0 }.filter { $0.value <= now }.map { .revoke($0.key) }
            var report = try await whole.sweep(at: now, limit: limit)
            if try await whole.commit(more) == .committed { report.records += more.records.count }
            return report
        }
    }
}
