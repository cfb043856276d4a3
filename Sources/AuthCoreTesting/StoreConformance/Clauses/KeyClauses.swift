import AuthCore

extension StoreClause {
    static let keys = [
        StoreClause("a key has one owner", keyHasOneOwner),
        StoreClause("a key that was given back can be taken", keysAreReleased),
        StoreClause("a key moves from one account to another in one step", keysMove),
        StoreClause("identities that only look alike are two", lookAlikesAreTwo),
        StoreClause("identities of one subject at two issuers are two", issuersAreCompared),
        StoreClause("ids of accounts are compared byte for byte", accountIDsAreExact),
    ]

    private static func keyHasOneOwner(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        for key in scene.ann.ownedKeys(under: .address) {
            let rival = try StoreScene.bareAccount("rival", probe)
            try await probe.refuse("a second claim", .owner(key)) { transaction in
                transaction.insert(rival)
                transaction.changes.keys.append(KeyChange(key, from: nil, to: rival.id))
            }
            probe.expect(try await probe.owner(of: key), is: scene.ann.id, "the owner after a second claim")
            probe.expect(try await probe.account(rival.id) == nil, "an account was made although its key was taken")
        }
    }

    private static func keysAreReleased(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var bare = scene.ann
        bare.methods = []
        bare.reservesEmail = false
        try await probe.commit("releasing keys") { $0.replace(scene.ann, with: &bare) }
        for key in scene.ann.ownedKeys(under: .address) {
            let seen = try await probe.load(.sessions(of: .owner(key)), .records(of: .owner(key), .usedAssertion))
            probe.expect(seen.sessions(of: .owner(key)), is: [], "the sessions of a key that was released")
            let records = seen.records(of: .owner(key), .usedAssertion)
            probe.expect(records, is: [], "the records of a key that was released")
        }
        let left = try await probe.sessions(of: scene.ann.id)
        probe.expect(left, is: [scene.session.id], "the sessions of an account that released its keys")
        try await probe.commit("a removal") { $0.remove(scene.ben) }
        for old in [scene.ann, scene.ben] {
            for key in old.ownedKeys(under: .address) {
                probe.expect(try await probe.owner(of: key), is: nil, "the owner of a key that was released")
            }
            var heir = try StoreScene.bareAccount("heir-\(old.id)", probe)
            heir.email = old.email
            heir.reservesEmail = true
            heir.methods = old.methods
            let new = heir
            try await probe.commit("claiming free keys") { $0.insert(new) }
            for key in old.ownedKeys(under: .address) {
                probe.expect(try await probe.owner(of: key), is: new.id, "the new owner of a key")
            }
        }
    }

    private static func keysMove(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        for key in scene.ann.ownedKeys(under: .address) {
            try await probe.commit("moving a key") {
                $0.changes.keys.append(KeyChange(key, from: scene.ann.id, to: scene.ben.id))
            }
            probe.expect(try await probe.owner(of: key), is: scene.ben.id, "the owner of a key that moved")
        }
        for key in scene.ben.ownedKeys(under: .address) {
            probe.expect(try await probe.owner(of: key), is: scene.ben.id, "the owner of a key that stayed")
        }
    }

    /// Pairs that a store would take for one if it folded case, width or normal form, trimmed, cut or matched patterns.
    private static let lookAlikes: [[String]] = [
        ["\u{E9}", "e\u{301}"], ["\u{212B}", "\u{C5}", "A\u{30A}"], ["ab", "Ab", "AB"], ["\u{1C6}", "\u{1C5}"],
        ["stra\u{DF}e", "strasse"], ["\u{130}", "i", "\u{131}"], ["\u{FF41}\u{FF42}", "ab\u{200B}"],
        ["x", "x ", " x", "x\t"],
        ["nul", "nul\u{0}", "nul\u{0}more"], ["1", "01", "1.0", "1e0"], ["%", "_", "'", "''", "\\", "\\\\"],
        ["true", "t"],
        [String(repeating: "k", count: 300), String(repeating: "k", count: 301)],
        // The longest that an identity can have.
        [String(repeating: "k", count: 1023) + "a", String(repeating: "k", count: 1023) + "b"],
        [String(repeating: "\u{1F511}", count: 80) + "a", String(repeating: "\u{1F511}", count: 80) + "b"],
    ]

    private static func lookAlikesAreTwo(_ probe: inout StoreProbe) async throws {
        try await areAllDifferent(lookAlikes.joined().map { StoreScene.identity($0) }, &probe)
    }

    private static func issuersAreCompared(_ probe: inout StoreProbe) async throws {
        let issuers = [
            "https://issuer.example", "https://issuer.example/", "https://ISSUER.example", "https://other.example",
        ]
        let subjects = ["", "/", "1", "https://issuer.example"]
        let keys = (issuers + Array(lookAlikes.joined())).flatMap { issuer in
            subjects.map { Identity.Key(issuer: issuer, subject: $0) }
        }
        try await areAllDifferent(keys, &probe)
    }

    private static func areAllDifferent(_ keys: [Identity.Key], _ probe: inout StoreProbe) async throws {
        for (index, key) in keys.enumerated() {
            let account = try StoreScene.bareAccount("spelling\(index)", probe)
            try await probe.commit("the identity \(key)") { transaction in
                transaction.insert(account)
                transaction.changes.keys.append(KeyChange(.identity(key), from: nil, to: account.id))
            }
        }
        let seen = try await probe.store.load(Lookups(keys.map { .owner(.identity($0)) }))
        for (index, key) in keys.enumerated() {
            let owner = seen.owner(of: .identity(key))?.id.text
            probe.expect(owner, is: "spelling\(index)", "the owner of the identity \(key)")
        }
    }

    /// IDs of accounts, too, are bytes.
    private static func accountIDsAreExact(_ probe: inout StoreProbe) async throws {
        let names = ["ann", "Ann", "ANN", "ann.", "ann%", "an_", "1", "01", String(repeating: "n", count: 128)]
        var (accounts, codes): ([Account], [OneTimeRecord]) = ([], [])
        for (place, name) in names.enumerated() {
            var account = try StoreScene.bareAccount(name, probe)
            account.version = UInt64(place)
            let (new, session) = (account, StoreScene.session(of: account.id, &probe))
            let code = StoreScene.code(about: account.id, &probe)
            try await probe.commit("the account \(name)") { transaction in
                transaction.changes.accounts = [.create(new)]
                transaction.changes.keys = [KeyChange(key(of: new), from: nil, to: new.id)]
                transaction.changes.sessions = [.put(session)]
                transaction.changes.records = [.put(code)]
            }
            accounts.append(account)
            codes.append(code)
        }
        for (account, code) in zip(accounts, codes) {
            let id = account.id
            probe.expect(try await probe.account(id), is: account, "the account under \(id)")
            probe.expect(try await probe.sessions(of: id).count, is: 1, "how many sessions \(id) has")
            probe.expect(try await probe.records(of: id), is: [code], "the records of \(id)")
            let seen = try await probe.load(.owner(key(of: account)), .record(code.key))
            probe.expect(seen.owner(of: key(of: account)), is: account, "the owner of a key of \(id)")
            probe.expect(seen.account(of: code.key), is: account, "the account of a record about \(id)")
        }
        for (account, other) in zip(accounts, accounts.dropFirst() + accounts.prefix(1)) {
            let owned = key(of: account)
            try await probe.refuse("a move from \(other.id) of a key of \(account.id)", .owner(owned)) {
                $0.changes.keys = [KeyChange(owned, from: other.id, to: nil)]
            }
            try await probe.refuse("a read of \(account.id) in the version of \(other.id)", .version(account.id)) {
                $0.changes.reads = [Store.AccountRead(id: account.id, version: other.version)]
            }
        }
    }

    private static func key(of account: Account) -> UniqueKey { .identity(StoreScene.identity(account.id.text)) }
}
