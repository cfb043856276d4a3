import AuthCore

/// Clauses about a change that names one thing twice.
extension StoreClause {
    static let repeated = [
        StoreClause("each of two preconditions about one row must hold", eachOfTwoHolds),
        StoreClause("what holds is written however often a change names it", whatHoldsTwiceIsWritten),
        StoreClause("what a change writes does not fulfill its own preconditions", writesFulfillNothing),
        StoreClause("a row that a change writes twice is left as it was written last", lastWritesStay),
    ]

    /// Refuses both orders of two parts of a change.
    private static func refuseBoth<Part>(
        _ what: String,
        _ precondition: Store.Precondition,
        _ list: WritableKeyPath<ChangeSet, [Part]>,
        _ parts: [Part],
        _ probe: inout StoreProbe
    ) async throws {
        for order in [parts, parts.reversed()] {
            try await probe.refuse(what, precondition) { $0.changes[keyPath: list] += order }
        }
    }

    private static func eachOfTwoHolds(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann, scene.ben)
        let reads = [0, 1].map { Store.AccountRead(id: ann.id, version: ann.version + $0) }
        try await refuseBoth("an account read in two versions", .version(ann.id), \.reads, reads, &probe)

        let mail = try StoreScene.email("shared@example.com")
        try await probe.refer(to: mail, by: ann)
        let version = try await probe.referenceVersion(of: mail)
        let lists = [0, 1].map { Store.EmailReferenceRead(email: mail, version: version &+ $0) }
        try await refuseBoth("a list read in two versions", .references(mail), \.referenceReads, lists, &probe)

        for key in ann.ownedKeys(under: .address) {
            let owners = [ann.id, ben.id].map { KeyChange(key, from: $0, to: $0) }
            try await refuseBoth("a key expected of two owners", .owner(key), \.keys, owners, &probe)
        }
        var next = ann
        next.version += 1
        let writes: [Store.AccountWrite] = [
            .update(next, expected: ann.version), .remove(ann.id, expected: ann.version),
        ]
        for write in writes {
            try await probe.refuse("an account that was read in another version", .version(ann.id)) {
                $0.changes.accounts = [write]
                $0.changes.reads = [reads[1]]
            }
        }
        let session = scene.session
        let updates = [0, 1].map { Store.SessionChange.update(session, refreshCount: session.refreshCount + $0) }
        try await refuseBoth("a session seen in two exchanges", .session(session.id), \.sessions, updates, &probe)
        probe.expect(try await probe.account(ann.id), is: ann, "the account after the refusals")
    }

    private static func whatHoldsTwiceIsWritten(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben, mail) = (scene.ann, scene.ben, try StoreScene.email("shared@example.com"))
        try await probe.refer(to: mail, by: ann)
        let list = Store.EmailReferenceRead(email: mail, version: try await probe.referenceVersion(of: mail))
        let signIn = Store.SignInRecord(account: ann.id, at: probe.later(5))
        let keys = ann.ownedKeys(under: .address).map { KeyChange($0, from: ann.id, to: ann.id) }
        let read = Store.AccountRead(id: ann.id, version: ann.version)
        try await probe.commit("reads, expectations and sign-ins that are there twice") { transaction in
            transaction.changes.reads = [read, read]
            transaction.changes.referenceReads = [list, list]
            transaction.changes.keys = keys + keys
            transaction.changes.signIns = [signIn, signIn]
        }
        probe.expect(try await probe.lastSignIn(of: ann.id), is: signIn.at, "a sign-in that was recorded twice")

        var renamed = ann
        (renamed.version, renamed.displayName) = (ann.version + 1, "Ann A.")
        let next = renamed
        var (first, last) = (scene.session, scene.session)
        (first.rotation, last.rotation) = (1, 2)
        let updates = [first, last].map { Store.SessionChange.update($0, refreshCount: scene.session.refreshCount) }
        try await probe.commit("an account that is read and written, and a session that is updated twice") {
            $0.changes.reads = [read]
            $0.changes.accounts = [.update(next, expected: ann.version)]
            $0.changes.sessions = updates
        }
        probe.expect(try await probe.account(ann.id), is: next, "an account that was read and written")
        probe.expect(try await probe.session(last.id), is: last, "a session that was updated twice")
        try await probe.commit("an account that is read and removed") {
            $0.changes.reads = [Store.AccountRead(id: ben.id, version: ben.version)]
            $0.changes.accounts = [.remove(ben.id, expected: ben.version)]
        }
        probe.expect(try await probe.account(ben.id), is: nil, "an account that was read and removed")
    }

    /// Each precondition is about what is stored before the change.
    private static func writesFulfillNothing(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let (code, session) = (StoreScene.code(about: ann, &probe), StoreScene.session(of: ann, &probe))
        let uses: [(String, OneTimeRecordChange)] = [
            ("used up", .consume(code.key)), ("replaced", .replace(code)),
        ]
        for (what, use) in uses {
            let changes = [.put(code), use]
            try await refuseBoth("a new record that is \(what)", .record(code.key), \.records, changes, &probe)
        }
        let updates: [Store.SessionChange] = [.put(session), .update(session, refreshCount: session.refreshCount)]
        try await refuseBoth("a new session that is updated", .session(session.id), \.sessions, updates, &probe)
        try await movesFulfillNothing(&probe)
    }

    /// Of a key that moves the owner before the change is expected, wherever it stands.
    private static func movesFulfillNothing(_ probe: inout StoreProbe) async throws {
        let (dan, eve) = (try StoreScene.id("dan"), try StoreScene.id("eve"))
        let keys: [UniqueKey] = [
            .identity(StoreScene.identity("moving")), .phone(try StoreScene.number(of: "moving")),
            .primaryEmail(try StoreScene.email("moving@example.com")),
        ]
        for key in keys {
            for (old, new) in [(nil, dan), (dan, eve), (eve, nil)] as [(AccountID?, AccountID?)] {
                let (move, before) = (KeyChange(key, from: old, to: new), KeyChange(key, from: old, to: old))
                let after = [move, KeyChange(key, from: new, to: new)]
                try await refuseBoth("a key that moves to its expected owner", .owner(key), \.keys, after, &probe)
                let parts = old == dan ? [before, move] : [move, before]
                try await probe.commit("a key that moves from its expected owner") { $0.changes.keys = parts }
                try await probe.commit("what is expected of a key that moved") {
                    $0.changes.keys = [KeyChange(key, from: new, to: new)]
                }
            }
        }
    }

    private static func lastWritesStay(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ben, code) = (scene.ben.id, scene.code)
        let moved = try [ben, StoreScene.id("ghost")].map { StoreScene.moved(code, to: $0) }
        try await probe.commit("a record that is replaced twice") { $0.changes.records = moved.map { .replace($0) } }
        probe.expect(try await probe.record(code.key), is: moved[1], "a record that was replaced twice")
        try await probe.commit("a record that is replaced and used up") {
            $0.changes.records = [.replace(code), .consume(code.key)]
        }
        probe.expect(try await probe.record(code.key), is: nil, "a record that was replaced and used up")

        let mail = try StoreScene.email("shared@example.com")
        for isReferenced in [true, false] {
            try await probe.commit("a reference that begins and ends, or ends and begins") {
                $0.changes.references = [isReferenced, !isReferenced, isReferenced].map {
                    StoreScene.reference(to: mail, by: scene.ben, isReferenced: $0)
                }
            }
            let found = try await probe.referencing(of: mail)
            probe.expect(found, is: isReferenced ? [ben] : [], "who references an address that was named three times")
        }
        // The one that is used meanwhile is not the one unused longest, and the other way round.
        var rows = (0..<3).map { _ in StoreScene.session(of: ben, &probe) }
        for place in rows.indices { rows[place].activeAt = probe.later(Double(place)) }
        let sessions = rows
        try await probe.commit("three sessions") { $0.changes.sessions = sessions.map { .put($0) } }
        var early = sessions[1]
        early.activeAt = probe.later(-1)
        try await probe.commit("room for two, and an update") {
            $0.changes.sessions = [
                .endUnused(ben, keeping: 2, besides: sessions[2].id), .update(early, refreshCount: early.refreshCount),
            ]
        }
        let left = try await probe.sessions(of: ben)
        probe.expect(left, is: [sessions[1].id, sessions[2].id], "the sessions after room was made before an update")
    }
}
