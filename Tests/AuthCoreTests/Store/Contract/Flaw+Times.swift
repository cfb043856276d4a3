@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show by the times of rows, by what a handle keeps, and by the size of rows.
extension Flaw {
    static let times: [String: [Flaw]] = [
        "accounts that are due are found by their time": [findsDueBySeconds, keepsTheLaterDueTime],
        "a session expires at the time that it was given last": keepsExpiries,
        "what is done by a time is done to the millisecond": cutsToSeconds,
        "a handle shows nothing from before what another wrote": keepsAnswers,
        "lists and pages are whole, however large their rows are": [cutsLargeLists] + cutsLargePages,
        "values are kept however large": cutsURLs,
        "a message is leased however often": [countsLeasesInEightBits],
        "the sessions that were unused longest end": [keepsRoomForAnother],
        "what is due and what was read is known after the store is opened again": [countsEmptiedListsAnew],
    ]

    /// The whole second in which a time is.
    private static func second(_ time: Timestamp) -> Timestamp { Timestamp(seconds: time.seconds) }

    private static let findsDueBySeconds = Flaw("finds what is due by whole seconds") { store in
        store.onDue = { try await $3.accounts(dueBy: second($0), after: $1, limit: $2) }
    }

    private static let keepsTheLaterDueTime = Flaw.prepares("keeps the later time of an account") { changes, tables in
        changes.accounts = changes.accounts.map { write in
            guard case .update(var account, let expected) = write, let time = account.dueAt,
                let stored = tables.accounts[account.id]?.dueAt
            else { return write }
            account.dueAt = max(stored, time)
            return .update(account, expected: expected)
        }
    }

    /// Changes the end of every session that is updated.
    private static func expires(
        _ name: String,
        _ change: @escaping @Sendable (_ stored: Timestamp, _ new: Timestamp?) -> Timestamp?
    ) -> Flaw {
        .prepares(name) { changes, tables in
            changes.sessions = changes.sessions.map { one in
                guard case .update(var session, let count) = one,
                    let stored = tables.sessions[session.id]?.expiresAt
                else { return one }
                session.expiresAt = change(stored, session.expiresAt)
                return .update(session, refreshCount: count)
            }
        }
    }

    private static let keepsExpiries: [Flaw] = [
        expires("keeps the later end of a session") { stored, new in new.map { max(stored, $0) } },
        expires("keeps the end of a session that has none any more") { stored, new in new ?? stored },
    ]

    private static let cutsToSeconds: [Flaw] = [
        Flaw("sweeps by whole seconds") { store in
            store.onSweep = { try await $2.sweep(at: second($0), limit: $1) }
        },
        Flaw("leases by whole seconds") { store in
            store.onLease = { try await $3.leaseMessages(at: second($0) + .seconds(1), until: $1, limit: $2) }
        },
        .writes("creates references in whole seconds") { changes in
            changes.references = changes.references.map { change in
                let old = change.reference
                let reference = EmailReference(
                    account: old.account,
                    createdAt: second(old.createdAt),
                    strength: old.strength
                )
                return .init(email: change.email, reference: reference, isReferenced: change.isReferenced)
            }
        },
        .writes("knows when a session was used in whole seconds") { changes in
            changes.sessions = changes.sessions.map { change in
                guard case .put(var session) = change else { return change }
                session.activeAt = second(session.activeAt)
                return .put(session)
            }
        },
    ]

    /// Answers again what a handle has read by some lookups.
    private static func keeps(_ name: String, _ isKept: @escaping @Sendable (Lookup) -> Bool) -> Flaw {
        handles(name) { store in
            let cache = Mutex<[Lookup: Snapshot.Answer]>([:])
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    let answer = seen.answer(to: lookup)
                    guard isKept(lookup) else { return answer }
                    return cache.withLock { cache in
                        let kept = cache[lookup] ?? answer
                        cache[lookup] = kept
                        return kept
                    }
                }
            }
        }
    }

    private static let keepsAnswers: [Flaw] = [
        keeps("keeps the sessions that a handle has read") { if case .session = $0 { true } else { false } },
        keeps("keeps the owners that a handle has read") { if case .owner = $0 { true } else { false } },
        keeps("keeps the records that a handle has read") { if case .record = $0 { true } else { false } },
        keeps("keeps the references that a handle has read") { if case .referencing = $0 { true } else { false } },
    ]

    /// The sixteen rows that fit into a megabyte, if more of them are large.
    private static func cut<Row>(_ rows: [Row], _ isLarge: (Row) -> Bool) -> [Row] {
        rows.filter(isLarge).count > 16 ? Array(rows.prefix(16)) : rows
    }

    private static let cutsLargeLists = Flaw.shows("cuts lists at a megabyte") { _, answer in
        guard case .sessions(let sessions) = answer else { return answer }
        return .sessions(cut(sessions) { !$0.claims.isEmpty })
    }

    private static let cutsLargePages: [Flaw] = [
        Flaw("cuts pages at a megabyte") { store in
            store.onAccounts = { cut(try await $2.accounts(after: $0, limit: $1)) { !$0.customClaims.isEmpty } }
        },
        Flaw("cuts pages of what is due at a megabyte") { store in
            store.onDue = { cut(try await $3.accounts(dueBy: $0, after: $1, limit: $2)) { !$0.customClaims.isEmpty } }
        },
        Flaw("cuts pages of events at a megabyte") { store in
            store.onEvents = { position, limit, whole in
                let page = try await whole.events(after: position, limit: limit)
                let events = cut(page.events) { $0.before?.isEmpty == false }
                return Store.EventPage(events: events, removed: page.removed, end: page.end)
            }
        },
    ]

    private static let cutsURLs: [Flaw] = [
        .writes("keeps the first two thousand bytes of a photo's address") { changes in
            changes.accounts = changes.accounts.map { write in
                guard case .create(var account) = write else { return write }
                account.photoURL = account.photoURL.map { String($0.prefix(2000)) }
                return .create(account)
            }
        },
        .writes("loses a long address to go on at") { changes in
            changes.messages = changes.messages.map { entry in
                guard let url = entry.settings?.continueURL, url.utf8.count > 255 else { return entry }
                return entry.with(settings: .some(nil))
            }
        },
        .writes("refuses long names of devices") { changes in
            for case .put(let session) in changes.sessions where (session.deviceName?.count ?? 0) > 64 {
                changes.sessions = []
            }
        },
    ]

    private static let countsLeasesInEightBits = Flaw("counts leases in eight bits") { store in
        store.onLease = { now, end, limit, whole in
            try await whole.leaseMessages(at: now, until: end, limit: limit).map {
                Store.QueuedMessage($0.entry, tries: Int(UInt8(clamping: $0.tries)), dueAt: $0.dueAt)
            }
        }
    }

    private static let keepsRoomForAnother = Flaw.prepares("keeps room for a session of another account") {
        changes,
        tables in
        changes.sessions = changes.sessions.map { change in
            guard case .endUnused(let account, let limit, let kept) = change, let other = tables.sessions[kept],
                other.account != account
            else { return change }
            return .endUnused(account, keeping: limit - 1, besides: kept)
        }
    }

    private static let countsEmptiedListsAnew = Flaw("counts the versions of emptied lists anew") {
        let plain = PlainStore()
        return StoreSubject(
            open: { plain },
            reopen: {
                plain.tables.withLock { tables in
                    tables.listVersions = tables.listVersions.filter { tables.version(of: $0.key) != 0 }
                }
                return plain
            }
        )
    }
}
