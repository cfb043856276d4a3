import AuthCore

extension StoreClause {
    static let keys = [
        StoreClause("a key has one owner", keyHasOneOwner),
        StoreClause("a key that was given back can be taken", keysAreReleased),
        StoreClause("a key moves from one account to another in one step", keysMove),
        StoreClause("identities that only look alike are two", lookAlikesAreTwo),
        StoreClause("references list every account and no other", mentionsAreListed),
    ]

    private static func keyHasOneOwner(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        for key in scene.ann.ownedKeys(under: .address) {
            let rival = try StoreScene.nobody("rival", probe)
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
        try await probe.commit("a removal") { $0.remove(scene.ben) }
        for old in [scene.ann, scene.ben] {
            for key in old.ownedKeys(under: .address) {
                probe.expect(try await probe.owner(of: key), is: nil, "the owner of a key that was released")
            }
            var heir = try StoreScene.nobody("heir-\(old.id)", probe)
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

    private static func lookAlikesAreTwo(_ probe: inout StoreProbe) async throws {
        let spellings = ["\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}"]
        for (index, spelling) in spellings.enumerated() {
            let account = try StoreScene.nobody("spelling\(index)", probe)
            try await probe.commit("an identity that looks like another") { transaction in
                transaction.insert(account)
                transaction.changes.keys.append(
                    KeyChange(.identity(StoreScene.identity(spelling)), from: nil, to: account.id)
                )
            }
        }
        for (index, spelling) in spellings.enumerated() {
            let owner = try await probe.owner(of: .identity(StoreScene.identity(spelling)))
            probe.expect(owner?.text, is: "spelling\(index)", "the owner of an identity that looks like another")
        }
    }

    private static func mentionsAreListed(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let mail = try StoreScene.email("shared@example.com")
        let own = try StoreScene.email("ben@example.com")
        for account in [scene.ann, scene.ben] {
            try await probe.commit("an email reference") {
                $0.changes.references.append(StoreScene.reference(to: mail, by: account))
            }
        }
        probe.expect(try await probe.referencing(of: mail), is: [ann, ben], "who references the shared address")
        probe.expect(try await probe.owner(of: .primaryEmail(mail)), is: nil, "the owner of an address only referenced")
        try await probe.commit("the end of an email reference") {
            $0.changes.references.append(StoreScene.reference(to: mail, by: scene.ann, isReferenced: false))
        }
        probe.expect(try await probe.referencing(of: mail), is: [ben], "who still references the shared address")
        probe.expect(try await probe.referencing(of: own), is: [ben], "who references Ben's address")
        try await probe.commit("a removal") { transaction in
            transaction.remove(scene.ben)
            transaction.changes.references.append(StoreScene.reference(to: mail, by: scene.ben, isReferenced: false))
        }
        for address in [mail, own] {
            probe.expect(
                try await probe.referencing(of: address),
                is: [],
                "who references an address after the removal"
            )
        }
    }
}
