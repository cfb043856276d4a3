import AuthCore

/// Clauses about what a change rests on while another change takes it away.
extension StoreClause {
    static let meanwhile = [
        StoreClause("a key that a change expects of its owner is the owner's when it is written", ownedKeysStay),
        StoreClause("a list of references that a change only reads is the same when it is written", readListsStay),
        StoreClause("an account is not created while it is removed and its tombstone written", removedAccountsStayGone),
        StoreClause("a record that is replaced while it is used up stays used up", usedRecordsStayUsed),
        StoreClause("a sweep spares what is given more time meanwhile", sweepsSpareTheExtended),
        StoreClause("a commit that is canceled and answered as failed is not written", canceledCommitsAreNotWritten),
        StoreClause("a read that is canceled fails or is whole", canceledReadsAreWhole),
    ]

    /// Of a change that only looks and one that takes away what it saw, each first in half of the rounds, one wins.
    private static func expectOneWinner(
        whileAnother takes: Store.Precondition,
        _ round: Int,
        in probe: inout StoreProbe,
        look: (inout ChangeSet) -> Void,
        take: (inout ChangeSet) -> Void
    ) async throws {
        let account = try StoreScene.bareAccount("account\(round)", probe)
        try await probe.commit("an account") { $0.insert(account) }
        try await expectOneWinner(2, losers: takes, .version(account.id), in: &probe) { number, transaction in
            if number == round % 2 {
                var renamed = account
                renamed.displayName = "decided by what was seen"
                transaction.replace(account, with: &renamed)
                look(&transaction.changes)
            } else {
                transaction.changes.reads = [Store.AccountRead(id: account.id, version: 0)]
                take(&transaction.changes)
            }
        }
    }

    private static func ownedKeysStay(_ probe: inout StoreProbe) async throws {
        // A key of each kind is released, and moves to another account.
        let heirs = [nil, try StoreScene.id("heir")]
        for round in 0..<2 * rounds {
            let owner = try StoreScene.bareAccount("owner\(round)", probe)
            let keys: [UniqueKey] = [
                .identity(StoreScene.identity("owned\(round)")), .phone(try StoreScene.number(of: "o\(10 + round)")),
                .primaryEmail(try StoreScene.email("owned\(round)@example.com")),
            ]
            try await probe.commit("an owner of keys") { transaction in
                transaction.insert(owner)
                transaction.changes.keys = keys.map { KeyChange($0, from: nil, to: owner.id) }
            }
            for (place, key) in keys.enumerated() {
                try await expectOneWinner(whileAnother: .owner(key), place * 2 * rounds + round, in: &probe) {
                    $0.keys = [KeyChange(key, from: owner.id, to: owner.id)]
                } take: {
                    $0.keys = [KeyChange(key, from: owner.id, to: heirs[round / 2 % 2])]
                }
            }
        }
    }

    private static func readListsStay(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        try await probe.commit("an account") { $0.insert(ann) }
        for round in 0..<rounds {
            // Another account joins an empty list, and one that is not; the account on it leaves, or comes first.
            for take in 0..<4 {
                let mail = try StoreScene.email("read\(round)-\(take)@example.com")
                if take > 0 { try await probe.refer(to: mail, by: ann) }
                let person = try StoreScene.bareAccount("person\(round)-\(take)", probe)
                try await probe.commit("a person") { $0.insert(person) }
                let version = try await probe.referenceVersion(of: mail)
                let change =
                    switch take {
                    case 2: StoreScene.reference(to: mail, by: ann, isReferenced: false)
                    case 3: StoreScene.reference(to: mail, by: ann, .confirmed)
                    default: StoreScene.reference(to: mail, by: person)
                    }
                try await expectOneWinner(whileAnother: .references(mail), take * rounds + round, in: &probe) {
                    $0.referenceReads = [Store.EmailReferenceRead(email: mail, version: version)]
                } take: {
                    $0.references = [change]
                }
            }
        }
    }

    private static func removedAccountsStayGone(_ probe: inout StoreProbe) async throws {
        for round in 0..<rounds {
            let account = try StoreScene.bareAccount("removed\(round)", probe)
            try await probe.commit("an account") { $0.insert(account) }
            let now = probe.now
            let changes = (0..<contenders).map { number in
                var transaction = probe.transaction()
                guard number == contenders / 2 else {
                    transaction.changes.accounts = [.create(account)]
                    return transaction.changes
                }
                transaction.changes.accounts = [.remove(account.id, expected: 0)]
                transaction.changes.records = [
                    .put(
                        OneTimeRecord(
                            key: .tombstone(of: account.id),
                            account: nil,
                            createdAt: now,
                            expiresAt: nil,
                            content: .tombstone(successor: nil)
                        )
                    )
                ]
                return transaction.changes
            }
            let outcomes = try await race(changes, probe)
            probe.expect(outcomes.count { $0 == .committed }, is: 1, "how many were written: the removal")
            let refused = outcomes.count { $0 == .violated(.absent(account.id)) }
            probe.expect(refused, is: contenders - 1, "how many creations were refused")
            probe.expect(try await probe.account(account.id) == nil, "an account is there beside its tombstone")
            probe.expect(try await probe.tombstone(of: account.id) != nil, "the tombstone is not there")
        }
    }

    private static func usedRecordsStayUsed(_ probe: inout StoreProbe) async throws {
        for _ in 0..<rounds {
            let code = StoreScene.code(about: nil, &probe)
            try await probe.commit("a record") { $0.changes.records = [.put(code)] }
            let changes = (0..<contenders).map { number in
                var transaction = probe.transaction()
                transaction.changes.records = [number == contenders / 2 ? .consume(code.key) : .replace(code)]
                return transaction.changes
            }
            _ = try await race(changes, probe)
            probe.expect(try await probe.record(code.key) == nil, "a record came back after it had been used up")
        }
    }

    private static func sweepsSpareTheExtended(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        for _ in 0..<rounds {
            let sessions = (0..<contenders / 2).map { _ in StoreScene.session(of: ann, &probe, lasting: 10) }
            let codes = sessions.map { _ in StoreScene.code(about: nil, &probe, lasting: 10) }
            try await probe.commit("sessions and records that end") { transaction in
                transaction.changes.sessions = sessions.map { .put($0) }
                transaction.changes.records = codes.map { .put($0) }
            }
            let (now, later) = (probe.later(20), probe.later(100))
            let changes = zip(sessions, codes).map { session, code in
                var transaction = probe.transaction()
                var longer = session
                longer.expiresAt = later
                let replacement = OneTimeRecord(
                    key: code.key,
                    account: nil,
                    createdAt: code.createdAt,
                    expiresAt: later,
                    content: code.content
                )
                transaction.changes.sessions = [.update(longer, refreshCount: session.refreshCount)]
                transaction.changes.records = [.replace(replacement)]
                return transaction.changes
            }
            let sweeper = probe.other
            async let sweeping: Void = {
                for _ in 0..<contenders {
                    _ = try await sweeper.sweep(at: now, limit: 1)
                    await Task.yield()
                }
            }()
            var extended: [Int] = []
            // The first to be swept is the last to be extended.
            for (number, change) in changes.enumerated().reversed() {
                if try await probe.store.commit(change) == .committed { extended.append(number) }
                await Task.yield()
            }
            try await sweeping
            for number in extended {
                let (session, code) = (sessions[number].id, codes[number].key)
                probe.expect(try await probe.session(session) != nil, "a session was swept that had been extended")
                probe.expect(try await probe.record(code) != nil, "a record was swept that had been extended")
            }
        }
    }

    private static func canceledCommitsAreNotWritten(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        for yields in 0..<40 {
            // In some rounds more rows than some databases write at once, each time for all that were there.
            let count = yields.isMultiple(of: 4) ? 30 : 1
            let sessions = (0..<count).map { _ in StoreScene.session(of: ann, &probe) }
            let codes = sessions.map { _ in StoreScene.code(about: ann, &probe) }
            let before = try await rows(of: ann, probe)
            var transaction = probe.transaction()
            transaction.changes.sessions = [.endAll(ann, except: nil)] + sessions.map { .put($0) }
            transaction.changes.records = [.revokeAll(ann, [.usedAssertion])] + codes.map { .put($0) }
            let (store, change) = (probe.store, transaction.changes)
            let commit = Task { try await store.commit(change) }
            for _ in 0..<yields { await Task.yield() }
            commit.cancel()
            var isFinal = false
            do {
                _ = try await commit.value
            } catch {
                isFinal = (error as? AuthError).map { $0.code != .outcomeUnknown } ?? false
            }
            let whole = Rows(sessions: Set(sessions.map(\.id)), records: Set(codes.map(\.key)))
            let left = try await rows(of: ann, probe)
            probe.expect(left == before || left == whole, "a canceled change was written in part")
            // Where it is not known whether it was written, the service sends it again.
            let outcome = try await store.commit(change)
            let isRight = outcome == .committed || !isFinal && outcome == .duplicate
            probe.expect(
                isRight,
                "a canceled change, sent again after \(isFinal ? "a final error" : "an end"): \(outcome)"
            )
            let isWhole = try await rows(of: ann, probe) == whole
            probe.expect(isWhole, "a canceled change that was sent again is not there, or not all of it")
        }
    }

    /// The sessions and the records of an account.
    private struct Rows: Equatable {
        var sessions: Set<SessionID>
        var records: Set<OneTimeRecordID>
    }

    private static func rows(of account: AccountID, _ probe: StoreProbe) async throws -> Rows {
        let name = Lookup.Reference.account(account)
        let seen = try await probe.load(.sessions(of: name), .records(of: name, .usedAssertion))
        return Rows(
            sessions: Set(seen.sessions(of: name).map(\.id)),
            records: Set(seen.records(of: name, .usedAssertion).map(\.key))
        )
    }

    private static func canceledReadsAreWhole(_ probe: inout StoreProbe) async throws {
        let count = 60
        try probe.requireLog(of: count)
        let now = probe.now
        let accounts = try (0..<count).map { number in
            var account = try StoreScene.bareAccount("account\(100 + number)", probe)
            account.dueAt = now
            return account
        }
        let messages = try accounts.map { _ in try StoreScene.message(&probe) }
        let failed = try accounts.map { _ in try StoreScene.message(&probe) }
        try await probe.commit("accounts, events and messages") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            for account in accounts { transaction.event(.accountCreated, account.id, by: .system) }
            transaction.changes.messages = messages + failed
        }
        for message in failed { try await probe.store.endLease(of: message.id, tries: 1, dueAt: nil) }
        let (store, lookups) = (probe.store, Lookups(accounts.map { .account($0.id) }))
        let reads: [(what: String, count: @Sendable () async throws -> Int)] = [
            ("load", { try await store.load(lookups).accounts.count }),
            ("page of accounts", { try await store.accounts(after: nil, limit: count).count }),
            ("page of events", { try await store.events(after: .start, limit: count).events.count }),
            ("page of messages", { try await store.messages(.waiting, after: nil, limit: count).count }),
            ("page of failed messages", { try await store.messages(.failed, after: nil, limit: count).count }),
            ("page of due accounts", { try await store.accounts(dueBy: now, after: nil, limit: count).count }),
        ]
        for (what, read) in reads {
            for yields in 0..<8 {
                let task = Task { try await read() }
                for _ in 0..<6 * yields { await Task.yield() }
                task.cancel()
                let found = try? await task.value
                probe.expect(found == nil || found == count, "a canceled \(what) shows a part of what is there")
            }
        }
    }
}
