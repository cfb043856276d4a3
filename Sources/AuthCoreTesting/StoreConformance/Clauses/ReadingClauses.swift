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
        ann.customClaims = ["level": 3, "share": 1.0, "list": [true, .null]]
        ann.displayName = "Ann \u{301} \u{0}"
        ann.note(.email(try StoreScene.email("ann@example.com")), .administrator, at: probe.now)
        let recovery = try Capability.Content.changeEmail(
            from: StoreScene.email("ann@example.com"),
            to: StoreScene.email("new@example.com")
        )
        let code = StoreScene.code(about: ann.id, &probe, content: recovery, lasting: 3600)
        var session = StoreScene.session(of: ann.id, &probe, lasting: 3600)
        session.refreshHash = [0, 255]
        session.claims = ["role": "guest"]
        try await probe.commit("everything about Ann") { draft in
            draft.insert(ann)
            draft.changes.capabilities.append(.put(code))
            draft.changes.sessions.append(.put(session))
        }
        probe.expect(try await probe.account(ann.id) == ann, "the account came back changed")
        probe.expect(try await probe.capability(code.key) == code, "the capability came back changed")
        probe.expect(try await probe.session(session.id) == session, "the session came back changed")
        var renamed = ann
        renamed.displayName = nil
        try await probe.commit("a new value") { $0.replace(ann, with: &renamed) }
        probe.expect(try await probe.account(ann.id) == renamed, "the account's new value came back changed")
        session.refreshHash = nil
        try await probe.commit("a new row") {
            $0.changes.sessions.append(.update(session, refreshCount: session.refreshCount))
        }
        probe.expect(try await probe.session(session.id) == session, "the session's new value came back changed")
    }

    private static func findsByEveryName(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        let ben = scene.ben.id
        let (mail, number) = (try StoreScene.email("ann@example.com"), try StoreScene.number(of: "ann"))
        let other = StoreScene.code(about: ben, &probe)
        try await probe.commit("a code about Ben") { $0.changes.capabilities.append(.put(other)) }
        let seen = try await probe.load {
            $0.session = scene.session.id
            $0.account = ben
            $0.otherAccount = ann
            $0.identity = StoreScene.identity("ann")
            $0.otherIdentity = StoreScene.identity("ben")
            $0.identities = ["ben", "stranger", "ann"].map(StoreScene.identity)
            $0.phone = number
            $0.email = mail
            $0.twinEmail = mail
            $0.mentions = mail
            $0.capabilities = [other.key, scene.code.key]
            $0.sessionsOf = ann
        }
        probe.expect(seen.session?.id, is: scene.session.id, "the session")
        probe.expect(seen.sessionAccount?.account.id, is: ann, "the session's account")
        probe.expect(seen.account?.account.id, is: ben, "the account")
        probe.expect(seen.otherAccount?.account.id, is: ann, "the other account")
        probe.expect(seen.identityOwner?.account.id, is: ann, "the identity's owner")
        probe.expect(seen.otherIdentityOwner?.account.id, is: ben, "the other identity's owner")
        probe.expect(seen.identityOwners.map(\.account.id), is: [ben, ann], "the owners of identities, in order")
        probe.expect(seen.phoneOwner?.account.id, is: ann, "the number's owner")
        probe.expect(seen.emailOwner?.account.id, is: ann, "the address's owner")
        probe.expect(seen.twinOwner?.account.id, is: ann, "the twin's owner")
        probe.expect(seen.mentioners.map(\.account.id), is: [ann], "who mentions the address")
        probe.expect(seen.capabilities.map(\.key), is: [other.key, scene.code.key], "the capabilities, in order")
        probe.expect(seen.capabilityAccount?.account.id, is: ben, "the first capability's account")
        probe.expect(seen.sessions.map(\.id), is: [scene.session.id], "the account's sessions")
        let own = try await probe.load {
            $0.session = scene.session.id
            $0.account = ann
        }
        probe.expect(own.sessionAccount?.account.id, is: ann, "the session's account, asked for by its id too")
        probe.expect(own.lastSignIn, is: probe.now, "the last sign-in")
    }

    private static func findsNothingElse(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let stranger = try StoreScene.person("stranger", probe)
        let mail = try StoreScene.email("stranger@example.com")
        let number = try StoreScene.number(of: "stranger")
        let (key, session) = (CapabilityKey(bits: probe.draw()), SessionID(bits: probe.draw()))
        let seen = try await probe.load {
            $0.session = session
            $0.account = stranger.id
            $0.otherAccount = stranger.id
            $0.identity = StoreScene.identity("stranger")
            $0.otherIdentity = StoreScene.identity("stranger")
            $0.includesCodes = true
            $0.identities = [StoreScene.identity("stranger")]
            $0.phone = number
            $0.email = mail
            $0.twinEmail = mail
            $0.mentions = mail
            $0.capabilities = [key]
            $0.sessionsOf = scene.ben.id
        }
        let accounts = [
            seen.sessionAccount, seen.account, seen.otherAccount, seen.identityOwner, seen.phoneOwner, seen.emailOwner,
            seen.twinOwner, seen.capabilityAccount, seen.otherIdentityOwner,
        ]
        probe.expect(accounts.allSatisfy { $0 == nil }, "an account was found by a name that nobody has")
        probe.expect(seen.identityOwners.isEmpty, "an identity has an owner that nobody has")
        probe.expect(seen.mentioners.isEmpty, "somebody mentions an address that nobody has")
        probe.expect(seen.session == nil && seen.sessions.isEmpty, "a session was found that nobody has")
        probe.expect(
            seen.capabilities.isEmpty && seen.codes.isEmpty && seen.tombstone == nil,
            "a capability was found that is not there"
        )
        let nothing = try await probe.store.load(SnapshotQuery())
        probe.expect(nothing.account == nil && nothing.emailOwner == nil, "a query for nothing found something")
    }

    private static func showsOneMoment(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var changes: [ChangeSet] = []
        var current = scene.ann
        for round in 0..<200 {
            var next = current
            next.displayName = "\(round)"
            var draft = probe.draft()
            draft.replace(current, with: &next)
            changes.append(draft.changes)
            current = next
        }
        let (store, rounds) = (probe.store, changes)
        let query = { (query: inout SnapshotQuery) in
            query.account = scene.ann.id
            query.identity = StoreScene.identity("ann")
        }
        var seen = try await probe.load(query)
        async let written: Void = {
            for change in rounds {
                _ = try await store.commit(change)
                await Task.yield()
            }
        }()
        // Until the last version shows, so that the looks are spread over all the writing.
        for _ in 0..<20_000 {
            if seen.account?.account.version == current.version { break }
            await Task.yield()
            seen = try await probe.load(query)
            guard seen.account?.account == seen.identityOwner?.account else {
                probe.report("one snapshot shows two versions of an account")
                break
            }
        }
        try await written
    }
}
