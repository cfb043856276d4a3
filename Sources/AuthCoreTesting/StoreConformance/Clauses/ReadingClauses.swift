import AuthCore

extension StoreClause {
    static let reading = [
        StoreClause("what was committed is read back whole", readsBackWhole),
        StoreClause("everything is found by every name", findsByEveryName),
        StoreClause("what is not there is not found", findsNothingElse),
        StoreClause("a snapshot shows one moment", showsOneMoment),
    ]

    private static func readsBackWhole(_ probe: inout StoreProbe) async throws {
        var ann = try StoreScene.person("ann", probe)
        ann.customClaims = ["level": 3, "share": 0.5, "list": [true, .null]]
        ann.displayName = "Ann \u{301} \u{0}"
        ann.note(.email(try StoreScene.email("ann@example.com")), .administrator, at: probe.now)
        let recovery = try OneTimeRecord.Content.changeEmail(
            from: StoreScene.email("ann@example.com"),
            to: StoreScene.email("new@example.com")
        )
        let code = StoreScene.code(about: ann.id, &probe, content: recovery, lasting: 3600)
        var session = StoreScene.session(of: ann.id, &probe, lasting: 3600)
        session.refreshHash = [0, 255]
        session.claims = ["role": "guest"]
        try await probe.commit("everything about Ann") { transaction in
            transaction.insert(ann)
            transaction.changes.records.append(.put(code))
            transaction.changes.sessions.append(.put(session))
        }
        probe.expect(try await probe.account(ann.id) == ann, "the account was read back changed")
        probe.expect(try await probe.record(code.key) == code, "the one-time record was read back changed")
        probe.expect(try await probe.session(session.id) == session, "the session was read back changed")
        var renamed = ann
        renamed.displayName = nil
        try await probe.commit("a new value") { $0.replace(ann, with: &renamed) }
        probe.expect(try await probe.account(ann.id) == renamed, "the account's new value was read back changed")
        session.refreshHash = nil
        try await probe.commit("a new row") {
            $0.changes.sessions.append(.update(session, refreshCount: session.refreshCount))
        }
        probe.expect(try await probe.session(session.id) == session, "the session's new value was read back changed")
    }

    private static func findsByEveryName(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        let ben = scene.ben.id
        let (mail, number) = (try StoreScene.email("ann@example.com"), try StoreScene.number(of: "ann"))
        let other = StoreScene.code(about: ben, &probe)
        try await probe.commit("a code about Ben") { $0.changes.records.append(.put(other)) }
        let (byID, byKey) = (Lookup.Reference.account(ann), Lookup.Reference.owner(.phone(number)))
        let identities = ["ben", "stranger", "ann"].map { UniqueKey.identity(StoreScene.identity($0)) }
        var lookups: Lookups = [
            .session(scene.session.id), .account(ben), .account(ann), .owner(.phone(number)),
            .owner(.primaryEmail(mail)), .referencing(mail), .record(other.key), .record(scene.code.key),
            .sessions(of: byID), .sessions(of: byKey), .records(of: byKey, .usedAssertion),
        ]
        for key in identities { lookups.insert(.owner(key)) }
        let seen = try await probe.store.load(lookups)
        probe.expect(seen.session(scene.session.id)?.id, is: scene.session.id, "the session")
        probe.expect(try await probe.account(ben), is: scene.ben, "an account")
        probe.expect(seen[ann], is: scene.ann, "an account among others")
        probe.expect(identities.map { seen.owner(of: $0)?.id }, is: [ben, nil, ann], "the owners of identities")
        probe.expect(seen.owner(of: .phone(number))?.id, is: ann, "the number's owner")
        probe.expect(seen.owner(of: .primaryEmail(mail))?.id, is: ann, "the address's owner")
        probe.expect(seen.accounts(referencing: mail).map(\.id), is: [ann], "the accounts that reference the address")
        probe.expect(seen.record(other.key)?.key, is: other.key, "a record")
        probe.expect(seen.record(scene.code.key)?.key, is: scene.code.key, "another record")
        probe.expect(seen.account(of: other.key)?.id, is: ben, "the record's account")
        probe.expect(seen.account(of: scene.code.key)?.id, is: ann, "the other record's account")
        probe.expect(seen.sessions(of: byID).map(\.id), is: [scene.session.id], "the account's sessions")
        probe.expect(seen.sessions(of: byKey).map(\.id), is: [scene.session.id], "the sessions of a key's owner")
        let records = seen.records(of: byKey, .usedAssertion)
        probe.expect(records.map(\.key), is: [scene.code.key], "the records of a key's owner")
        probe.expect(seen.lastSignIn(of: ann), is: probe.now, "the last sign-in")
        probe.expect(seen.lastSignIn(of: ben), is: nil, "the last sign-in of an account without one")
    }

    private static func findsNothingElse(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let id = try StoreScene.id("stranger")
        let mail = try StoreScene.email("stranger@example.com")
        let (key, session) = (OneTimeRecordID(bits: probe.draw()), SessionID(bits: probe.draw()))
        let keys: [UniqueKey] = [
            .identity(StoreScene.identity("stranger")), .phone(try StoreScene.number(of: "stranger")),
            .primaryEmail(mail),
        ]
        var lookups: Lookups = [
            .session(session), .account(id), .referencing(mail), .record(key), .sessions(of: .account(scene.ben.id)),
            .sessions(of: .account(id)), .records(of: .account(id), .usedAssertion),
        ]
        for key in keys {
            lookups.insert(.owner(key))
            lookups.insert(.records(of: .owner(key), .usedAssertion))
        }
        let seen = try await probe.store.load(lookups)
        probe.expect(seen.accounts.isEmpty, "an account was found by a key that no account has")
        probe.expect(seen.session(session) == nil, "a session was found that does not exist")
        for account in [id, scene.ben.id] {
            probe.expect(seen.sessions(of: .account(account)).isEmpty, "an unknown account has sessions")
        }
        let records = keys.flatMap { seen.records(of: .owner($0), .usedAssertion) }
        probe.expect(
            seen.record(key) == nil && seen.tombstone(of: id) == nil && records.isEmpty
                && seen.records(of: .account(id), .usedAssertion).isEmpty,
            "a one-time record was found that does not exist"
        )
        probe.expect(try await probe.store.load([]).asked.isEmpty, "lookups that match nothing found something")
    }

    private static func showsOneMoment(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var changes: [ChangeSet] = []
        var current = scene.ann
        for round in 0..<200 {
            var next = current
            next.displayName = "\(round)"
            var transaction = probe.transaction()
            transaction.replace(current, with: &next)
            changes.append(transaction.changes)
            current = next
        }
        let (store, rounds) = (probe.store, changes)
        let key = UniqueKey.identity(StoreScene.identity("ann"))
        let lookups: Lookups = [.account(scene.ann.id), .owner(key)]
        // In the order of the lookups: each answer is the account that its own lookup found.
        let accounts = { (seen: Snapshot) in seen.accounts }
        var seen = accounts(try await store.load(lookups))
        async let written: Void = {
            for change in rounds {
                _ = try await store.commit(change)
                await Task.yield()
            }
        }()
        // Reads until the last version appears, so that the reads happen during all the writing.
        for _ in 0..<20_000 {
            if seen.first?.version == current.version { break }
            await Task.yield()
            seen = accounts(try await store.load(lookups))
            guard seen.count == 2, seen.first == seen.last else {
                probe.report("one snapshot shows two versions of an account")
                break
            }
        }
        try await written
    }
}
