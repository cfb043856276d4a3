@testable import AuthCore
import Synchronization

/// Flaws that show where one change does several things to the same rows, or very many.
extension Flaw {
    static let compounds: [String: [Flaw]] = [
        "a record that is used where others are revoked must be there": [usesWhatItRevokes],
        "of parallel uses of one record that revoke the others one wins": [usesWhatItRevokes],
        "a session that is updated where others end was exchanged as often as seen": [updatesWhereOthersEnd],
        "what a change does to records is done in its order": recordsOutOfOrder,
        "what a change does to sessions is done in its order": sessionsOutOfOrder,
        "all that a change ends or revokes is gone, however much it is": removesAThousand,
        "a precondition is looked at behind however many others": [looksAtAHundred],
        "a removed account leaves what the change does not remove": removesMoreOrLess,
        "no session begins beside the end of all that it did not see": endsWhatItSaw,
        "a change that is refused makes no other a duplicate": [reservesOperations],
    ]

    private static let usesWhatItRevokes = Flaw.prepares("uses a record unseen where it revokes others") { changes, _ in
        let revokes = changes.records.contains { if case .revokeAll = $0 { true } else { false } }
        if revokes { changes.records.removeAll { if case .consume = $0 { true } else { false } } }
    }

    private static let updatesWhereOthersEnd = Flaw.prepares("updates unseen where others end") { changes, tables in
        guard changes.sessions.contains(where: { if case .endAll = $0 { true } else { false } }) else { return }
        changes.sessions = changes.sessions.map { change in
            guard case .update(let session, _) = change, let stored = tables.sessions[session.id] else { return change }
            return .update(session, refreshCount: stored.refreshCount)
        }
    }

    /// Revokes by their keys the records that were there before the change, no more of them than this.
    private static func revokesByKey(_ name: String, atMost limit: Int = .max) -> Flaw {
        .prepares(name) { changes, tables in
            changes.records = changes.records.flatMap { change -> [Store.OneTimeRecordChange] in
                guard case .revokeAll(let account, let purposes) = change else { return [change] }
                return tables.records.values.filter { $0.account == account && purposes.contains($0.purpose) }
                    .prefix(limit).map { .revoke($0.key) }
            }
        }
    }

    private static let recordsOutOfOrder: [Flaw] = [
        .prepares("revokes before it puts") { changes, _ in
            let isFirst = { (change: Store.OneTimeRecordChange) in if case .revokeAll = change { true } else { false } }
            changes.records = changes.records.filter(isFirst) + changes.records.filter { !isFirst($0) }
        },
        revokesByKey("revokes what was there before the change"),
    ]

    private static let sessionsOutOfOrder: [Flaw] = [
        .prepares("ends before it puts") { changes, _ in
            let isFirst = { (change: Store.SessionChange) in if case .endAll = change { true } else { false } }
            changes.sessions = changes.sessions.filter(isFirst) + changes.sessions.filter { !isFirst($0) }
        },
        .prepares("makes room for what also ends") { changes, _ in
            let isEnd = { (change: Store.SessionChange) in if case .end = change { true } else { false } }
            changes.sessions = changes.sessions.filter { !isEnd($0) } + changes.sessions.filter(isEnd)
        },
    ]

    private static let removesAThousand: [Flaw] = [
        .prepares("ends the first thousand sessions") { changes, tables in
            changes.sessions = changes.sessions.flatMap { change -> [Store.SessionChange] in
                guard case .endAll(let account, let kept) = change else { return [change] }
                return tables.sessions.values.filter { $0.account == account && $0.id != kept }.prefix(1000)
                    .map { .end($0.id) }
            }
        },
        revokesByKey("revokes the first thousand records", atMost: 1000),
        .prepares("ends twenty-five unused sessions at most") { changes, tables in
            changes.sessions = changes.sessions.map { change in
                guard case .endUnused(let account, let limit, let kept) = change else { return change }
                let count = tables.sessions.values.count { $0.account == account }
                return .endUnused(account, keeping: max(limit, count - 25), besides: kept)
            }
        },
    ]

    private static let looksAtAHundred = Flaw.judges("looks at the first hundred preconditions") { checks, _ in
        checks.prefix(100).first { !$0.holds }?.precondition
    }

    private static let removesMoreOrLess: [Flaw] = [
        .edits("ends the sessions of a removed account") { _, changes, after in
            for id in removed(changes) { after.sessions = after.sessions.filter { $1.account != id } }
        },
        .edits("revokes the records of a removed account") { _, changes, after in
            for id in removed(changes) { after.records = after.records.filter { $1.account != id } }
        },
        .prepares("keeps tombstones for ever") { changes, _ in
            changes.records = changes.records.map { change in
                guard case .put(let record) = change, record.purpose == .tombstone else { return change }
                return .put(record.with(expiresAt: .some(nil)))
            }
        },
        .edits("releases the keys of a removed account") { _, changes, after in
            for id in removed(changes) { after.owners = after.owners.filter { $1 != id } }
        },
    ]

    private static let endsWhatItSaw: [Flaw] = [
        .wraps("ends the sessions that it saw a moment ago") { store in
            store.onCommit = { changes, whole in
                var changes = changes
                for case .endAll(let account, let kept) in changes.sessions {
                    let name = Lookup.Reference.account(account)
                    let seen = try await whole.load([.sessions(of: name)]).sessions(of: name)
                    await Flaw.pause()
                    changes.sessions = seen.filter { $0.id != kept }.map { .end($0.id) }
                }
                return try await whole.commit(changes)
            }
        },
        .wraps("revokes the records that it saw a moment ago") { store in
            store.onCommit = { changes, whole in
                var changes = changes
                for case .revokeAll(let account, let purposes) in changes.records {
                    let name = Lookup.Reference.account(account)
                    var revoked: [Store.OneTimeRecordChange] = []
                    for purpose in purposes {
                        let seen = try await whole.load([.records(of: name, purpose)]).records(of: name, purpose)
                        revoked += seen.map { .revoke($0.key) }
                    }
                    await Flaw.pause()
                    changes.records = revoked
                }
                return try await whole.commit(changes)
            }
        },
    ]

    private static let reservesOperations = Flaw.wraps("reserves an operation before it is written") { store in
        let reserved = Mutex<Set<OperationID>>([])
        store.onCommit = { changes, whole in
            if !reserved.withLock({ $0.insert(changes.operation).inserted }) { return .duplicate }
            await Flaw.pause()
            let outcome = try await whole.commit(changes)
            if outcome != .committed { _ = reserved.withLock { $0.remove(changes.operation) } }
            return outcome
        }
    }
}
