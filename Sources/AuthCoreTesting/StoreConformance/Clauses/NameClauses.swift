import AuthCore

/// Clauses that a store breaks which compares less than whole names, or finds one thing by another's name.
extension StoreClause {
    static let names = [
        StoreClause("IDs are compared to their last bit", identifiersAreExact),
        StoreClause("a key is compared with its kind and all its parts", keysAreExact),
        StoreClause("what is done to one account is done to none of a similar ID", similarAccountsAreSpared),
        StoreClause("a lookup finds alone what it finds among others", lookupsAreIndependent),
    ]

    /// IDs that differ in one bit of either half, two whose texts differ in case only, and the first and the last.
    private static func patterns() throws -> [UInt128] {
        let base: UInt128 = 0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF
        let texts = ["0bCdEfGhIjKlMnOpQrStUv", "0BcDeFgHiJkLmNoPqRsTuV"].compactMap { OperationID($0)?.bits }
        guard texts.count == 2 else { throw StoreScene.UnusableSample() }
        return [base] + [0, 1, 31, 32, 63, 64, 65, 95, 96, 126, 127].map { base ^ (1 << $0) } + texts + [0, .max]
    }

    private static func identifiersAreExact(_ probe: inout StoreProbe) async throws {
        let (ann, patterns) = (try StoreScene.bareAccount("ann", probe), try patterns())
        let template = StoreScene.code(about: ann.id, &probe)
        let codes = patterns.map { template.under(OneTimeRecordID(bits: $0)) }
        let samples = try StoreSamples()
        let sessions = patterns.map { samples.bareSession(of: ann.id, SessionID(bits: $0)) }
        let entry = try StoreScene.message(&probe)
        let messages = patterns.map { entry.under(OperationID(bits: $0)) }
        try await probe.commit("an account") { $0.insert(ann) }
        var changes: [ChangeSet] = []
        for (place, bits) in patterns.enumerated() {
            var change = ChangeSet(operation: OperationID(bits: bits), at: probe.now)
            change.records = [.put(codes[place])]
            change.sessions = [.put(sessions[place])]
            change.messages = [messages[place]]
            try await probe.commit("a change under the ID \(change.operation)", change)
            changes.append(change)
        }
        for change in changes {
            probe.expect(try await probe.store.commit(change), is: .duplicate, "the change under \(change.operation)")
        }
        let order = messages.sorted { $0.id < $1.id }
        let listed = try await probe.store.messages(.waiting, after: nil, limit: 100).map(\.entry)
        probe.expect(listed, is: order, "messages in the order of their IDs")
        for place in order.indices {
            let next = try await probe.store.messages(.waiting, after: order[place].id, limit: 1).map(\.entry)
            probe.expect(next, is: Array(order[(place + 1)...].prefix(1)), "the message after \(order[place].id)")
        }
        // One after the other goes, and the others stay.
        for place in -1..<patterns.count {
            if place >= 0 {
                try await probe.commit("the end of a session and a record") { transaction in
                    transaction.changes.sessions = [.end(sessions[place].id)]
                    transaction.changes.records = [.consume(codes[place].key)]
                }
                try await probe.store.settleMessages([messages[place].id])
            }
            let left = place + 1..<patterns.count
            let seen = try await probe.store.load(
                Lookups(codes.map { .record($0.key) } + sessions.map { .session($0.id) })
            )
            let (records, rows) = (
                codes.compactMap { seen.record($0.key) }, sessions.compactMap { seen.session($0.id) }
            )
            probe.expect(records, is: Array(codes[left]), "the records left")
            probe.expect(rows, is: Array(sessions[left]), "the sessions left")
            let waiting = try await probe.store.messages(.waiting, after: nil, limit: 100).map(\.entry)
            probe.expect(Set(waiting), is: Set(messages[left]), "the messages left")
        }
    }

    private static func keysAreExact(_ probe: inout StoreProbe) async throws {
        // Where two texts meet, a store that joins them must not take one key for another.
        let joints = [
            "", " ", "|", ":", "/", "\\", ",", ";", "#", "@", "\t", "\n", "\u{0}", "\u{1F}", "\"", "','", "\u{1F511}",
        ]
        var keys: [UniqueKey] = joints.flatMap { joint in
            [("a\(joint)b", "c"), ("a", "b\(joint)c"), ("a\(joint)b\(joint)c", ""), ("", "a\(joint)b\(joint)c")]
        }.map { .identity(Identity.Key(issuer: $0, subject: $1)) }
        keys = keys.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        let mail = try StoreScene.email("ann@example.com")
        let number = try StoreScene.number(of: "ann")
        keys += [.primaryEmail(mail), .phone(number)]
        for text in [mail.description, number.description] {
            for issuer in ["", "phone", "email", "primaryEmail"] {
                keys.append(.identity(Identity.Key(issuer: issuer, subject: text)))
                keys.append(.identity(Identity.Key(issuer: text, subject: issuer)))
            }
        }
        keys = keys.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        let all = keys
        let owners = try all.indices.map { try StoreScene.bareAccount("owner\($0)", probe) }
        try await probe.commit("keys that are not the same") { transaction in
            transaction.changes.accounts = owners.map { .create($0) }
            transaction.changes.keys = zip(all, owners).map { KeyChange($0, from: nil, to: $1.id) }
        }
        let seen = try await probe.store.load(Lookups(all.map { .owner($0) }))
        for (key, owner) in zip(all, owners) {
            probe.expect(seen.owner(of: key)?.id, is: owner.id, "the owner of \(key)")
        }
        let again = try StoreScene.bareAccount("again", probe)
        for key in all {
            try await probe.refuse("a second claim to \(key)", .owner(key)) { transaction in
                transaction.changes.accounts = [.create(again)]
                transaction.changes.keys = [KeyChange(key, from: nil, to: again.id)]
            }
        }
    }

    private static func similarAccountsAreSpared(_ probe: inout StoreProbe) async throws {
        let names = [
            "an_", "an%", "%", "_nn", "Ann", "ANN", "a", "an", "ann", "anna", "nn", "ann.", "ann'", "\"ann\"", "ann*",
        ]
        let accounts = try names.map { try StoreScene.bareAccount($0, probe) }
        let codes = accounts.map { StoreScene.code(about: $0.id, &probe) }
        let sessions = accounts.flatMap { account in
            [StoreScene.session(of: account.id, &probe), StoreScene.session(of: account.id, &probe)]
        }
        let signIns = accounts.indices.map { Store.SignInRecord(account: accounts[$0].id, at: probe.later(Double($0))) }
        try await probe.commit("accounts") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.signIns = signIns
        }
        let lookups = Lookups(
            accounts.flatMap {
                [.account($0.id), .sessions(of: .account($0.id)), .records(of: .account($0.id), .usedAssertion)]
            }
        )
        for place in accounts.indices {
            let id = accounts[place].id
            try await probe.commit("the end of \(id)") { transaction in
                transaction.changes.sessions = [.endUnused(id, keeping: 1, besides: sessions[2 * place].id)]
                transaction.changes.records = [.revokeAll(id, [.usedAssertion])]
            }
            try await expectTwoSessions(of: accounts[(place + 1)...], &probe)
            try await probe.commit("the end of \(id)") { transaction in
                transaction.changes.sessions = [.endAll(id, except: nil)]
                transaction.changes.accounts = [.remove(id, expected: 0)]
            }
            let seen = try await probe.store.load(lookups)
            for other in accounts.indices {
                let (id, isLeft) = (accounts[other].id, other > place)
                let reference = Lookup.Reference.account(id)
                probe.expect(seen[id]?.id, is: isLeft ? id : nil, "the account \(id) after \(accounts[place].id) ended")
                probe.expect(seen.lastSignIn(of: id), is: isLeft ? signIns[other].at : nil, "the last sign-in of \(id)")
                probe.expect(seen.sessions(of: reference).count, is: isLeft ? 2 : 0, "how many sessions \(id) has")
                let records = seen.records(of: reference, .usedAssertion)
                probe.expect(records, is: isLeft ? [codes[other]] : [], "the records about \(id)")
            }
        }
    }

    private static func expectTwoSessions(of accounts: ArraySlice<Account>, _ probe: inout StoreProbe) async throws {
        for account in accounts {
            probe.expect(try await probe.sessions(of: account.id).count, is: 2, "how many sessions \(account.id) has")
        }
    }

    /// Lookups that find something stand between lookups that find nothing.
    private static func lookupsAreIndependent(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben, gone) = (scene.ann, scene.ben, try StoreScene.person("gone", probe))
        // A record without an account is found by no account, and by no key without an owner.
        let anonymous = StoreScene.code(about: nil, &probe, lasting: -1)
        let tombstone = StoreScene.tombstone(of: gone.id, successor: ann.id, probe)
        try await probe.commit("records, and a sign-in") { transaction in
            transaction.changes.records = [.put(anonymous), .put(tombstone)]
            transaction.changes.signIns = [Store.SignInRecord(account: ben.id, at: transaction.context.now)]
        }
        let stranger = try StoreScene.person("stranger", probe)
        let mails = try ["gone", "ann", "stranger", "ben"].map { try StoreScene.email("\($0)@example.com") }
        var lookups: [Lookup] = mails.map { .referencing($0) }
        for account in [gone, ann, stranger, ben] {
            let keys = account.ownedKeys(under: .address)
            lookups += [.account(account.id)] + keys.map { .owner($0) }
            for name in [Lookup.Reference.account(account.id)] + keys.map({ .owner($0) }) {
                lookups += [.sessions(of: name), .records(of: name, .usedAssertion), .records(of: name, .tombstone)]
            }
        }
        for key in [anonymous.key, OneTimeRecordID(bits: 5), scene.code.key, OneTimeRecordID(bits: 6), tombstone.key] {
            lookups.append(.record(key))
        }
        lookups += [.session(SessionID(bits: 5)), .session(scene.session.id), .session(SessionID(bits: 6))]
        let (forwards, backwards) = (Lookups(lookups), Lookups(lookups.reversed()))
        let (first, second) = (try await probe.store.load(forwards), try await probe.store.load(backwards))
        for lookup in lookups {
            let alone = AnswerPicture(try await probe.load(lookup).answer(to: lookup))
            for seen in [first, second] {
                probe.expect(
                    AnswerPicture(seen.answer(to: lookup)) == alone,
                    "\(lookup) finds something else among others"
                )
            }
            let wanted = expected(of: lookup, in: scene, [anonymous, tombstone], probe)
            probe.expect(alone.accounts.map(\.id), is: wanted.accounts, "the accounts that \(lookup) finds")
            probe.expect(alone.sessions, is: wanted.sessions, "the sessions that \(lookup) finds")
            probe.expect(alone.records, is: wanted.records, "the records that \(lookup) finds")
            probe.expect(alone.tombstone, is: wanted.tombstone, "the tombstone that \(lookup) finds")
            probe.expect(
                alone.signIns,
                is: alone.accounts.map { _ in probe.now },
                "the last sign-ins that \(lookup) finds"
            )
        }
    }

    private struct Expected {
        var accounts: [AccountID] = []
        var sessions: [Session] = []
        var records: [OneTimeRecord] = []
        var tombstone: OneTimeRecord?
    }

    private static func expected(
        of lookup: Lookup,
        in scene: StoreScene,
        _ others: [OneTimeRecord],
        _ probe: StoreProbe
    ) -> Expected {
        let people = [scene.ann, scene.ben]
        func owner(_ reference: Lookup.Reference) -> AccountID? {
            switch reference {
            case .account(let id): people.first { $0.id == id }?.id
            case .owner(let key): people.first { $0.ownedKeys(under: .address).contains(key) }?.id
            }
        }
        var expected = Expected()
        switch lookup {
        case .account(let id):
            expected.accounts = owner(.account(id)).map { [$0] } ?? []
            expected.tombstone = others.first { $0.key == .tombstone(of: id) }
        case .owner(let key): expected.accounts = owner(.owner(key)).map { [$0] } ?? []
        case .referencing(let email): expected.accounts = people.filter { $0.email == email }.map(\.id)
        case .session(let id): expected.sessions = id == scene.session.id ? [scene.session] : []
        case .record(let key):
            expected.records = (others + [scene.code]).filter { $0.key == key }
            expected.accounts = key == scene.code.key ? [scene.ann.id] : []
        case .sessions(let name): expected.sessions = owner(name) == scene.ann.id ? [scene.session] : []
        case .records(let name, let purpose):
            expected.records = owner(name) == scene.ann.id && purpose == .usedAssertion ? [scene.code] : []
        }
        return expected
    }
}

extension OutboxEntry {
    /// The same message under another ID.
    func under(_ id: OperationID) -> OutboxEntry {
        OutboxEntry(
            id: id,
            kind: kind,
            recipient: recipient,
            record: record,
            account: account,
            settings: settings,
            createdAt: createdAt,
            leasedUntil: leasedUntil,
            expiresAt: expiresAt
        )
    }
}
