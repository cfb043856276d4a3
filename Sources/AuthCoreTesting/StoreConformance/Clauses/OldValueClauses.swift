import AuthCore

/// The clause about a handle that has read what another handle changes afterwards.
extension StoreClause {
    static let oldValues = [
        StoreClause("what a handle has read does not stand for what is stored", oldValuesDoNotStand)
    ]

    /// What the other handle reads, how it is changed then, and what rests on it as it was read.
    private struct OldValue {
        let what: String
        let lookup: Lookup
        let precondition: Store.Precondition
        let change: (inout ChangeSet) -> Void
        let late: (inout ChangeSet) -> Void
    }

    private static func oldValuesDoNotStand(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let mail = try StoreScene.email("ann@example.com")
        let list = Store.EmailReferenceRead(email: mail, version: try await probe.referenceVersion(of: mail))
        let values =
            try owners(scene) + versions(of: scene.ben) + records(scene, &probe)
            + [session(scene), tombstone(try StoreScene.id("gone"), probe), references(list, scene.ben)]
        for value in values {
            _ = try await probe.other.load([value.lookup])
            var (change, late) = (probe.transaction().changes, probe.transaction().changes)
            value.change(&change)
            value.late(&late)
            try await probe.commit("a change of \(value.what)", change)
            let outcome = try await probe.other.commit(late)
            probe.expect(outcome, is: .violated(value.precondition), "what rests on \(value.what) that was read before")
        }
        try await endsReachWhatIsNew(of: scene.ann.id, &probe)
    }

    /// Each key is free at first, is Ann's then, and Ben's in the end.
    private static func owners(_ scene: StoreScene) throws -> [OldValue] {
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let keys: [UniqueKey] = [
            .identity(StoreScene.identity("read")), .phone(try StoreScene.number(of: "read")),
            .primaryEmail(try StoreScene.email("read@example.com")),
        ]
        return keys.flatMap { key in
            [(nil, ann), (ann, ben)].map { (old: AccountID?, new: AccountID) in
                OldValue(
                    what: "the owner of \(key)",
                    lookup: .owner(key),
                    precondition: .owner(key),
                    change: { $0.keys = [KeyChange(key, from: old, to: new)] },
                    late: { $0.keys = [KeyChange(key, from: old, to: old)] }
                )
            }
        }
    }

    /// An account that is only read, one that is updated, and one that is removed; each change raises the version.
    private static func versions(of account: Account) -> [OldValue] {
        let lates: [(what: String, late: (inout ChangeSet, Account) -> Void)] = [
            ("an account that is only read", { $0.reads = [Store.AccountRead(id: $1.id, version: $1.version)] }),
            ("an account that is updated", { $0.accounts = [.update($1.next, expected: $1.version)] }),
            ("an account that is removed", { $0.accounts = [.remove($1.id, expected: $1.version)] }),
        ]
        var account = account
        return lates.map { what, late in
            let read = account
            account = read.next
            return OldValue(
                what: what,
                lookup: .account(read.id),
                precondition: .version(read.id),
                change: { $0.accounts = [.update(read.next, expected: read.version)] },
                late: { late(&$0, read) }
            )
        }
    }

    private static func records(_ scene: StoreScene, _ probe: inout StoreProbe) -> [OldValue] {
        let (new, code) = (StoreScene.code(about: nil, &probe), scene.code)
        let steps: [(what: String, record: OneTimeRecord, change: OneTimeRecordChange, late: OneTimeRecordChange)] = [
            ("a record that was not there", new, .put(new), .put(new)),
            ("a record that is replaced", new, .revoke(new.key), .replace(new)),
            ("a record that is consumed", code, .consume(code.key), .consume(code.key)),
        ]
        return steps.map { what, record, change, late in
            OldValue(
                what: what,
                lookup: .record(record.key),
                precondition: .record(record.key),
                change: { $0.records = [change] },
                late: { $0.records = [late] }
            )
        }
    }

    private static func session(_ scene: StoreScene) -> OldValue {
        var next = scene.session
        next.refreshCount += 1
        let exchange = Store.SessionChange.update(next, refreshCount: scene.session.refreshCount)
        return OldValue(
            what: "a session",
            lookup: .session(next.id),
            precondition: .session(next.id),
            change: { $0.sessions = [exchange] },
            late: { $0.sessions = [exchange] }
        )
    }

    private static func tombstone(_ id: AccountID, _ probe: StoreProbe) -> OldValue {
        let (tombstone, account) = (StoreScene.tombstone(of: id, probe), Account(id: id, createdAt: probe.now))
        return OldValue(
            what: "an account without a tombstone",
            lookup: .account(id),
            precondition: .absent(id),
            change: { $0.records = [.put(tombstone)] },
            late: { $0.accounts = [.create(account)] }
        )
    }

    private static func references(_ read: Store.EmailReferenceRead, _ account: Account) -> OldValue {
        OldValue(
            what: "a list of references",
            lookup: .referencing(read.email),
            precondition: .references(read.email),
            change: { $0.references = [StoreScene.reference(to: read.email, by: account)] },
            late: { $0.referenceReads = [read] }
        )
    }

    /// What ends all of an account ends what was added since the lists were read, too.
    private static func endsReachWhatIsNew(of account: AccountID, _ probe: inout StoreProbe) async throws {
        let about = Lookup.Reference.account(account)
        _ = try await probe.other.load([.sessions(of: about), .records(of: about, .usedAssertion)])
        let (session, code) = (StoreScene.session(of: account, &probe), StoreScene.code(about: account, &probe))
        try await probe.commit("a session and a record") { transaction in
            transaction.changes.sessions = [.put(session)]
            transaction.changes.records = [.put(code)]
        }
        var end = probe.transaction().changes
        end.sessions = [.endAll(account, except: nil)]
        end.records = [.revokeAll(account, [.usedAssertion])]
        let outcome = try await probe.other.commit(end)
        probe.expect(outcome, is: .committed, "the end of all sessions and records on the handle that had listed them")
        let sessions = try await probe.sessions(of: account)
        probe.expect(sessions, is: [], "the sessions that began before all ended, and after they were listed")
        let records = try await probe.records(of: account)
        probe.expect(records, is: [], "the records that were put before all were revoked, and after they were listed")
    }
}

extension Account {
    /// The account with the next version.
    fileprivate var next: Account {
        var account = self
        account.version += 1
        return account
    }
}
