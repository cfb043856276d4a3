import AuthCore

extension StoreClause {
    static let references = [
        StoreClause("references list every account and no other", referencesAreListed),
        StoreClause("of many references the strongest are found, then those of the oldest accounts", strongestAreFound),
        StoreClause("a list of references that was read is unchanged", listsThatWereReadHold),
        StoreClause("a reference behind the list disturbs no decision", othersDisturbNobody),
    ]

    private static func referencesAreListed(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let mail = try StoreScene.email("shared@example.com")
        let own = try StoreScene.email("ben@example.com")
        for account in [scene.ann, scene.ben] {
            try await probe.refer(to: mail, by: account)
        }
        probe.expect(try await probe.referencing(of: mail), is: [ann, ben], "who references the shared address")
        probe.expect(try await probe.owner(of: .primaryEmail(mail)), is: nil, "the owner of an address only referenced")
        try await probe.refer(to: mail, by: scene.ann, isReferenced: false)
        probe.expect(try await probe.referencing(of: mail), is: [ben], "who still references the shared address")
        probe.expect(try await probe.referencing(of: own), is: [ben], "who references Ben's address")
        try await probe.commit("a removal") { transaction in
            transaction.remove(scene.ben)
            transaction.changes.references.append(StoreScene.reference(to: mail, by: scene.ben, isReferenced: false))
        }
        for address in [mail, own] {
            let left = try await probe.referencing(of: address)
            probe.expect(left, is: [], "who references an address after the removal")
        }
    }

    /// Twelve accounts reference one address, in an order that is neither that of their age nor of their strength.
    private static func claimants(_ mail: EmailAddress, _ probe: inout StoreProbe) async throws -> [Account] {
        var accounts: [Account] = []
        for number in [7, 2, 11, 4, 0, 9, 5, 1, 10, 3, 8, 6] {
            let account = Account(
                id: try StoreScene.id("claimant\(99 - number)"),
                createdAt: probe.later(Double(number))
            )
            try await probe.commit("a claimant") { transaction in
                transaction.insert(account)
                transaction.changes.references.append(StoreScene.reference(to: mail, by: account, .identity))
            }
            accounts.append(account)
        }
        return accounts.sorted { $0.createdAt < $1.createdAt }
    }

    private static func strongestAreFound(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("wanted@example.com")
        let all = try await claimants(mail, &probe)
        let oldest = all.prefix(8).map(\.id)
        probe.expect(try await probe.referencing(of: mail), is: oldest, "the first of twelve equal references")
        try await probe.refer(to: mail, by: all[10], .own)
        try await probe.refer(to: mail, by: all[11], .confirmed)
        let strongest = [all[11].id, all[10].id] + oldest.prefix(6)
        probe.expect(try await probe.referencing(of: mail), is: strongest, "the references with two stronger ones")
        try await probe.refer(to: mail, by: all[11], .identity)
        try await probe.refer(to: mail, by: all[0], isReferenced: false)
        let later = [all[10].id] + all[1...7].map(\.id)
        probe.expect(try await probe.referencing(of: mail), is: later, "the references when two left the list")
    }

    /// Every change of the list is seen by a decision that read it before, and the list has no version twice.
    private static func listsThatWereReadHold(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let mail = try StoreScene.email("wanted@example.com")
        var versions = [try await probe.referenceVersion(of: mail)]
        probe.expect(versions, is: [0], "the version of a list that never had a reference")
        let steps: [(String, Account, EmailReference.Strength, Bool)] = [
            ("added", scene.ann, .own, true), ("stronger", scene.ann, .confirmed, true),
            ("joined", scene.ben, .own, true), ("removed", scene.ben, .own, false), ("joined", scene.ben, .own, true),
        ]
        for (what, account, strength, isReferenced) in steps {
            let read = Store.EmailReferenceRead(email: mail, version: try await probe.referenceVersion(of: mail))
            try await probe.commit("a change that read the list") { $0.touch(reading: read) }
            try await probe.refer(to: mail, by: account, strength, isReferenced: isReferenced)
            try await probe.refuse("a change that read the list before a reference was \(what)", .references(mail)) {
                $0.touch(reading: read)
            }
            let version = try await probe.referenceVersion(of: mail)
            probe.expect(!versions.contains(version), "the list has version \(version) a second time")
            versions.append(version)
        }
        for account in [scene.ann, scene.ben] {
            try await probe.refer(to: mail, by: account, isReferenced: false)
        }
        probe.expect(try await probe.referenceVersion(of: mail), is: 0, "the version of a list that became empty")
        try await probe.refer(to: mail, by: scene.ben)
        let version = try await probe.referenceVersion(of: mail)
        probe.expect(!versions.contains(version), "an emptied list has version \(version) a second time")
    }

    private static func othersDisturbNobody(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("wanted@example.com")
        let all = try await claimants(mail, &probe)
        let read = Store.EmailReferenceRead(email: mail, version: try await probe.referenceVersion(of: mail))
        let stranger = Account(id: try StoreScene.id("stranger"), createdAt: probe.later(100))
        try await probe.commit("a stranger") { transaction in
            transaction.insert(stranger)
            transaction.changes.references.append(StoreScene.reference(to: mail, by: stranger, .identity))
        }
        try await probe.refer(to: mail, by: all[9], isReferenced: false)
        try await probe.commit("a change that read the list before") { $0.touch(reading: read) }
    }
}

extension Transaction {
    /// Writes an event, since a change of preconditions alone is never committed.
    fileprivate mutating func touch(reading read: Store.EmailReferenceRead) {
        changes.referenceReads.append(read)
        event(.signedIn, "somebody", by: .system)
    }
}
