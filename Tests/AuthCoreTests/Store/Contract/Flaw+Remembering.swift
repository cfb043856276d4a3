@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of what a handle remembers, and of what is empty, over or early.
extension Flaw {
    static let remembering: [String: [Flaw]] = [
        "what a handle has read it reads anew": [
            keepsSessions, keepsRecords, keepsWhatIsMissing, keepsOwners, keepsSignIns,
        ],
        "the rule of keys that one handle sets holds on the other": [knowsTheRuleOfItsBeginning],
        "what is zero or empty is not none": [dropsEmptyClaims, dropsDots, dropsGenerationZero],
        "a list that is emptied with its account has no earlier version again": [forgetsVersionsWithAccounts],
        "an operation is known though others have later times": [knowsLaterOperationsOnly],
        "a tombstone makes way for no replacement and no other use": [
            takesReplacementsForUses, takesRevocationsForUses, takesAnyTombstone,
        ],
        "what has expired ends like the rest, whichever session is kept": [endsNoneBesideAnothers, sparesTheExpired],
    ]

    // MARK: Handles

    /// Each handle shows what it read before as long as the new answer seems the same.
    static func remembers(
        _ name: String,
        _ seemsSame: @escaping @Sendable (_ old: Snapshot.Answer, _ new: Snapshot.Answer) -> Bool
    ) -> Flaw {
        .handles(name) { store in
            let known = Remembered()
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    known.answer(to: lookup, now: seen.answer(to: lookup), seemsSame)
                }
            }
        }
    }

    private final class Remembered: Sendable {
        private let answers = Mutex<[Lookup: Snapshot.Answer]>([:])

        func answer(
            to lookup: Lookup,
            now: Snapshot.Answer,
            _ seemsSame: (Snapshot.Answer, Snapshot.Answer) -> Bool
        ) -> Snapshot.Answer {
            answers.withLock { answers in
                if let old = answers[lookup], seemsSame(old, now) { return old }
                answers[lookup] = now
                return now
            }
        }
    }

    private static let keepsSessions = remembers("keeps sessions until their next exchange") { old, new in
        guard case .session(let old) = old, case .session(let new) = new else { return false }
        return old.refreshCount == new.refreshCount
    }

    private static let keepsRecords = remembers("keeps the content of records") { old, new in
        guard case .record(let old, _) = old, case .record(let new, _) = new else { return false }
        return old.key == new.key
    }

    private static let keepsWhatIsMissing = remembers("remembers that an account has no tombstone") { old, new in
        if case .nothing = old, case .gone = new { true } else { false }
    }

    private static let keepsOwners = remembers("keeps the sessions of a key's owner") { old, new in
        guard case .sessions(let old) = old, case .sessions(let new) = new else { return false }
        return old.count == 1 && new.count == 1
    }

    private static let keepsSignIns = remembers("keeps last sign-ins until the account changes") { old, new in
        guard case .account(let old) = old, case .account(let new) = new else { return false }
        return old.account.version == new.account.version
    }

    private static let knowsTheRuleOfItsBeginning = Flaw("knows the rule of keys from when a handle was opened") {
        let whole = InMemoryIdentityStore(eventLimit: 1000)
        let isSet = SharedFlag()
        return StoreSubject(open: {
            var store = FlawedStore(whole: whole)
            let isOwn = SharedFlag()
            store.onCommit = { changes, whole in
                var changes = changes
                if changes.keyRule != nil {
                    if !isSet.exchange(true) { _ = isOwn.exchange(true) }
                    if !isOwn.value { changes.keyRule = nil }
                }
                return try await whole.commit(changes)
            }
            return store
        })
    }

    private final class SharedFlag: Sendable {
        private let flag = Atomic(false)

        var value: Bool { flag.load(ordering: .sequentiallyConsistent) }

        func exchange(_ new: Bool) -> Bool { flag.exchange(new, ordering: .sequentiallyConsistent) }
    }

    // MARK: Empty values

    private static func claims(
        _ name: String,
        _ spoil: @escaping @Sendable ([String: ClaimValue]) -> [String: ClaimValue]
    ) -> Flaw {
        .shows(name) { _, answer in
            switch answer {
            case .account(let row):
                var account = row.account
                account.customClaims = spoil(account.customClaims)
                return .account(Snapshot.Row(account, lastSignIn: row.lastSignIn))
            case .session(var session):
                session.claims = spoil(session.claims)
                return .session(session)
            default: return answer
            }
        }
    }

    private static let dropsEmptyClaims = claims("drops empty lists and objects of claims") {
        $0.filter { $0.value != .array([]) && $0.value != .object([:]) }
    }

    private static let dropsDots = claims("writes names of claims without dots and dollars") { claims in
        Dictionary(claims.map { ($0.key.filter { $0 != "." && $0 != "$" }, $0.value) }) { first, _ in first }
    }

    private static let dropsGenerationZero = Flaw.shows("shows a generation of 0 as none") { _, answer in
        guard case .session(var session) = answer, session.basis.generation == 0 else { return answer }
        session.basis = .init(kind: session.basis.kind, provider: session.basis.provider, generation: nil)
        return .session(session)
    }

    // MARK: Lists and operations

    private static let forgetsVersionsWithAccounts = Flaw("forgets the version of a list that empties with an account")
    {
        store in
        let forgotten = Offsets()
        store.onCommit = { changes, whole in
            var changes = changes
            changes.referenceReads = changes.referenceReads.map {
                .init(email: $0.email, version: forgotten.stored($0.version, of: $0.email))
            }
            let before = try await whole.load(Lookups(changes.references.map { .referencing($0.email) }))
            let outcome = try await whole.commit(changes)
            guard outcome == .committed, !removed(changes).isEmpty else { return outcome }
            for reference in changes.references where !reference.isReferenced {
                let now = try await whole.load([.referencing(reference.email)])
                if now.accounts(referencing: reference.email).isEmpty {
                    forgotten.forget(reference.email, at: before.referenceVersion(of: reference.email))
                }
            }
            return outcome
        }
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .referencing(let email) = lookup,
                    case .accounts(let rows, let version) = seen.answer(to: lookup)
                else { return seen.answer(to: lookup) }
                return .accounts(rows, version: forgotten.shown(version, of: email))
            }
        }
    }

    /// What is taken off the versions of lists.
    private final class Offsets: Sendable {
        private let state = Mutex((emptied: [EmailAddress: UInt64](), offsets: [EmailAddress: UInt64]()))

        /// The next list of the address shows the version that it had before it was empty.
        func forget(_ email: EmailAddress, at version: UInt64) { state.withLock { $0.emptied[email] = version } }

        func shown(_ version: UInt64, of email: EmailAddress) -> UInt64 {
            state.withLock { state in
                if version != 0, let before = state.emptied.removeValue(forKey: email) {
                    state.offsets[email] = version - before
                }
                return version == 0 ? 0 : version - (state.offsets[email] ?? 0)
            }
        }

        func stored(_ version: UInt64, of email: EmailAddress) -> UInt64 {
            state.withLock { version == 0 ? 0 : version + ($0.offsets[email] ?? 0) }
        }
    }

    private static let knowsLaterOperationsOnly = Flaw("knows operations that are the latest when they are written") {
        store in
        let known = Mutex((newest: Timestamp.distantPast, forgotten: UInt128(0)))
        store.onCommit = { changes, whole in
            let operation = known.withLock { known -> OperationID in
                defer { known.newest = max(known.newest, changes.at) }
                if changes.at >= known.newest { return changes.operation }
                known.forgotten += 1
                return OperationID(bits: ~changes.operation.bits &+ known.forgotten)
            }
            return try await whole.commit(changes.under(operation))
        }
    }

    // MARK: Tombstones and what is over

    /// Takes something else for the use of a created account's tombstone.
    private static func uses(
        _ name: String,
        _ isUse: @escaping @Sendable (OneTimeRecordChange, OneTimeRecordID) -> Bool
    ) -> Flaw {
        .writes(name) { changes in
            for write in changes.accounts {
                guard case .create(let account) = write else { continue }
                let tombstone = OneTimeRecordID.tombstone(of: account.id)
                changes.records = changes.records.map { isUse($0, tombstone) ? .consume(tombstone) : $0 }
            }
        }
    }

    private static let takesReplacementsForUses = uses("takes a replaced tombstone for one that is used up") {
        if case .replace(let record) = $0 { record.key == $1 } else { false }
    }

    private static let takesRevocationsForUses = uses("takes a revoked tombstone for one that is used up") {
        if case .revoke(let key) = $0 { key == $1 } else { false }
    }

    private static let takesAnyTombstone = Flaw.writes("takes another account's tombstone for the one in the way") {
        let created = $0.accounts.compactMap { if case .create(let account) = $0 { account.id } else { nil } }
        guard let first = created.first, case .consume? = $0.records.first, $0.records.count == 1 else { return }
        $0.records = [.consume(.tombstone(of: first))]
    }

    private static let endsNoneBesideAnothers = Flaw("ends no session where another account's is kept") { store in
        store.onCommit = { changes, whole in
            var changes = changes
            var kept: [Store.SessionChange] = []
            for change in changes.sessions {
                if case .endAll(let account, let session?) = change,
                    let other = try await whole.load([.session(session)]).session(session), other.account != account
                {
                    continue
                }
                kept.append(change)
            }
            changes.sessions = kept
            return try await whole.commit(changes)
        }
    }

    private static let sparesTheExpired = Flaw("spares expired codes where all are revoked") { store in
        store.onCommit = { changes, whole in
            var changes = changes
            let now = changes.at
            var records: [OneTimeRecordChange] = []
            for change in changes.records {
                guard case .revokeAll(let account, let purposes) = change else {
                    records.append(change)
                    continue
                }
                for purpose in purposes {
                    let seen = try await whole.load([.records(of: .account(account), purpose)])
                    for record in seen.records(of: .account(account), purpose) where record.isLive(at: now) {
                        records.append(.revoke(record.key))
                    }
                }
            }
            changes.records = records
            return try await whole.commit(changes)
        }
    }
}
