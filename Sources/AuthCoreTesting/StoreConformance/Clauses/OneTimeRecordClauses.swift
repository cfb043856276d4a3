import AuthCore

extension StoreClause {
    static let records = [
        StoreClause("a record is put, replaced, consumed and revoked", recordsLive),
        StoreClause("all records about an account are found", foundByAccount),
        StoreClause("records are revoked by account and purpose", revokedByPurpose),
        StoreClause("nothing of a removed account is left", nothingIsLeft),
        StoreClause("a record about a removed account goes to another in the same step", recordsMoveOn),
        StoreClause("a tombstone is found, and keeps its account's id from being used again", tombstonesHold),
    ]

    private static func recordsLive(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("ann@example.com")
        let first = StoreScene.code(about: nil, &probe, content: .verifyEmail(mail))
        let gone = StoreScene.code(about: nil, &probe)
        var second = first
        second.content = .resetPassword(mail)
        let replacement = second
        try await probe.commit("two records") { $0.changes.records += [.put(first), .put(gone)] }
        probe.expect(try await probe.record(first.key), is: first, "a record that was put")
        try await probe.commit("a replacement") { $0.changes.records.append(.replace(replacement)) }
        probe.expect(try await probe.record(first.key), is: replacement, "a record that was replaced")
        try await probe.commit("a use and a revocation") {
            $0.changes.records += [.consume(first.key), .revoke(gone.key)]
        }
        for key in [first.key, gone.key] {
            probe.expect(try await probe.record(key), is: nil, "a record that is used up or revoked")
        }
        try await probe.commit("revoking what is gone") { $0.changes.records.append(.revoke(gone.key)) }
        try await probe.refuse("a second use", .record(first.key)) {
            $0.changes.records.append(.consume(first.key))
        }
    }

    private static func foundByAccount(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        let second = StoreScene.code(about: ann, &probe)
        let used = StoreScene.code(about: ann, &probe)
        let others = [StoreScene.code(about: scene.ben.id, &probe), StoreScene.code(about: nil, &probe)]
        try await probe.commit("codes") { $0.changes.records += ([second, used] + others).map { .put($0) } }
        try await probe.commit("a use") { $0.changes.records.append(.consume(used.key)) }
        let mail = try StoreScene.email("ann@example.com")
        let ids = [scene.code.key, second.key].sorted()
        let byID = Lookup.Reference.account(ann)
        let byAddress = Lookup.Reference.owner(.primaryEmail(mail))
        let seen = try await probe.load(
            .records(of: byID, .usedAssertion),
            .records(of: byAddress, .usedAssertion),
            .records(of: byID, .resetPassword)
        )
        probe.expect(seen.records(of: byID, .usedAssertion).map(\.key).sorted(), is: ids, "the codes of an account")
        probe.expect(
            seen.records(of: byAddress, .usedAssertion).map(\.key).sorted(),
            is: ids,
            "the codes of an address's owner"
        )
        probe.expect(seen.records(of: byID, .resetPassword), is: [], "the codes of a purpose that no code has")
    }

    private static func revokedByPurpose(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let mail = try StoreScene.email("ann@example.com")
        let going = [
            StoreScene.code(about: ann, &probe, content: .resetPassword(mail)),
            StoreScene.code(about: ann, &probe, content: .resetPassword(mail)),
            StoreScene.code(about: ann, &probe, content: .verifyEmail(mail)),
        ]
        let staying = [
            StoreScene.code(about: ann, &probe, content: .signInLink(mail)),
            StoreScene.code(about: ben, &probe, content: .resetPassword(mail)),
            StoreScene.code(about: nil, &probe, content: .resetPassword(mail)),
        ]
        try await probe.commit("codes") { $0.changes.records += (going + staying).map { .put($0) } }
        try await probe.commit("revoking two purposes") {
            $0.changes.records.append(.revokeAll(ann, [.resetPassword, .verifyEmail]))
        }
        for code in going {
            probe.expect(try await probe.record(code.key), is: nil, "a record of a revoked purpose")
        }
        for code in staying {
            probe.expect(try await probe.record(code.key), is: code, "another purpose's or account's record")
        }
    }

    private static func nothingIsLeft(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let other = StoreScene.code(about: scene.ben.id, &probe)
        let session = StoreScene.session(of: scene.ben.id, &probe)
        try await probe.commit("records of Ben's") { transaction in
            transaction.changes.records.append(.put(other))
            transaction.changes.sessions.append(.put(session))
        }
        try await probe.commit("a removal") { $0.remove(scene.ann) }
        probe.expect(try await probe.account(scene.ann.id) == nil, "a removed account was found")
        probe.expect(try await probe.record(scene.code.key), is: nil, "a removed account's record")
        probe.expect(try await probe.session(scene.session.id) == nil, "a removed account's session was found")
        probe.expect(try await probe.sessions(of: scene.ann.id), is: [], "a removed account's sessions")
        let page = try await probe.store.accounts(after: nil, limit: 10).map(\.id)
        probe.expect(page, is: [scene.ben.id], "the accounts after a removal")
        probe.expect(try await probe.record(other.key), is: other, "another account's record")
        probe.expect(try await probe.session(session.id)?.id, is: session.id, "another account's session")
    }

    private static func recordsMoveOn(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let moved = StoreScene.moved(scene.code, to: scene.ben.id)
        try await probe.commit("a removal, and a record about the account that is about another now") { transaction in
            transaction.changes.accounts = [.remove(scene.ann.id, expected: scene.ann.version)]
            transaction.changes.keys = scene.ann.ownedKeys(under: .address).map {
                KeyChange($0, from: scene.ann.id, to: nil)
            }
            transaction.changes.records = [.replace(moved)]
            transaction.changes.sessions = [.end(scene.session.id)]
        }
        probe.expect(try await probe.record(moved.key), is: moved, "the record that went to another account")
        let name = Lookup.Reference.account(scene.ben.id)
        let found = try await probe.load(.records(of: name, moved.purpose)).records(of: name, moved.purpose)
        probe.expect(found, is: [moved], "the records of the other account")
    }

    private static func tombstonesHold(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let tombstone = StoreScene.tombstone(of: ann, successor: ben, probe)
        try await probe.commit("a removal with a tombstone") { transaction in
            transaction.remove(scene.ann)
            transaction.changes.records.append(.put(tombstone))
        }
        probe.expect(try await probe.tombstone(of: ann), is: tombstone, "the tombstone of the account asked for")
        let again = try StoreScene.bareAccount("ann", probe)
        try await probe.refuse("a new account under an ID that has a tombstone", .absent(ann)) { $0.insert(again) }
        try await probe.commit("a removal without a tombstone") { $0.remove(scene.ben) }
        probe.expect(try await probe.tombstone(of: ben), is: nil, "the tombstone of another account")
        probe.expect(try await probe.account(ann) == nil, "an account was found under an ID that has a tombstone")
        try await probe.commit("restoring an account, which consumes its tombstone") { transaction in
            transaction.changes.records.append(.consume(tombstone.key))
            transaction.insert(again)
        }
        probe.expect(try await probe.account(ann) != nil, "a restored account was not found")
        probe.expect(try await probe.tombstone(of: ann), is: nil, "a tombstone that was used up")
    }
}
