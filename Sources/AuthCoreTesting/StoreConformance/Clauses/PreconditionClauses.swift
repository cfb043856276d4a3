import AuthCore

extension StoreClause {
    static let preconditions = [
        precondition("keys of addresses follow the store's rule", keyRule),
        precondition("an update names the version it saw", versionOfUpdate),
        precondition("a removal names the version it saw", versionOfRemoval),
        precondition("an account that was only read has the version it had", versionOfRead),
        precondition("a new account's id is free", absence),
        precondition("an identity has the owner expected") { try owner(.identity(StoreScene.identity($0)), $1) },
        precondition("a number has the owner expected") { try owner(.phone(StoreScene.number(of: $0)), $1) },
        precondition("an address has the owner expected") { try owner(.primaryEmail(address($0)), $1) },
        precondition("an owner that is only expected is the owner", expectedOwner),
        precondition("a list of references is as it was read", listOfReferences),
        precondition("a record is put where none is", putRecord),
        precondition("a record is replaced where one is", replaceRecord),
        precondition("a record is consumed where one is", consumeRecord),
        precondition("a session is put where none is", putSession),
        precondition("a session is updated where one is", updateSession),
        precondition("a refresh token was exchanged as often as seen", exchangeCount),
    ]

    /// What makes a change invalid, and the precondition that must be answered.
    private struct Spoiler {
        let precondition: Store.Precondition
        let spoil: (inout ChangeSet) -> Void

        init(_ precondition: Store.Precondition, _ spoil: @escaping (inout ChangeSet) -> Void) {
            self.precondition = precondition
            self.spoil = spoil
        }
    }

    /// The change that writes every table is made invalid by one thing at a time.
    ///
    /// Nothing of it may be visible afterwards.
    private static func precondition(
        _ name: String,
        _ spoilers: @escaping @Sendable (StoreScene, inout StoreProbe) throws -> [Spoiler]
    ) -> StoreClause {
        StoreClause("precondition: \(name)") { probe in
            let whole = try await StorePicture.whole(like: probe).withoutEvents
            let scene = try await StoreScene.stageEverything(in: &probe)
            let change = try scene.richChange(&probe)
            for spoiler in try spoilers(scene, &probe) {
                var spoiled = change
                spoiler.spoil(&spoiled)
                let before = try await StorePicture(of: scene, touchedBy: spoiled, in: probe)
                let outcome = try await probe.store.commit(spoiled)
                probe.expect(outcome, is: .violated(spoiler.precondition), "a change with a broken precondition")
                let after = try await StorePicture(of: scene, touchedBy: spoiled, in: probe)
                probe.expect(before == after, "a change that broke \(spoiler.precondition) was written in part")
            }
            // A refused change must not be remembered as committed.
            try await probe.commit("the valid change, under the same operation ID", change)
            let after = try await StorePicture(of: scene, touchedBy: change, in: probe).withoutVersions
            probe.expect(after.withoutEvents == whole, "the valid change was written in part after a refused one")
            try await StoreScene.expectExpiry(in: &probe)
        }
    }

    /// The same for a key with an owner and for one without: each time the change expects a wrong owner.
    private static func precondition(
        _ name: String,
        _ spoilers: @escaping @Sendable (String, StoreScene) throws -> [Spoiler]
    ) -> StoreClause {
        precondition(name) { scene, _ in
            try spoilers("ann", scene) + spoilers("free", scene)
        }
    }

    private static func listOfReferences(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        // Lists that are there have a version above 0, and those that are not have 0.
        let lists: [(String, UInt64)] = [("ann", 0), ("free", 1)]
        return try lists.map { name, version in
            let email = try address(name)
            return Spoiler(.references(email)) {
                $0.referenceReads.append(Store.EmailReferenceRead(email: email, version: version))
            }
        }
    }

    private static func address(_ name: String) throws -> EmailAddress { try StoreScene.email("\(name)@example.com") }

    // MARK: Accounts

    private static func versionOfUpdate(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        var (renamed, ghost) = (scene.ann, try StoreScene.bareAccount("ghost", probe))
        (renamed.displayName, renamed.version, ghost.version) = ("A.", scene.ann.version + 2, 1)
        return [renamed, ghost].map { update in
            Spoiler(.version(update.id)) { $0.accounts.append(.update(update, expected: update.version - 1)) }
        }
    }

    private static func versionOfRemoval(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let (ann, ghost) = (scene.ann, try StoreScene.id("ghost"))
        return [
            Spoiler(.version(ann.id)) { $0.accounts.append(.remove(ann.id, expected: ann.version + 1)) },
            Spoiler(.version(ghost)) { $0.accounts.append(.remove(ghost, expected: 0)) },
        ]
    }

    private static func versionOfRead(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let (ann, ghost) = (scene.ann, try StoreScene.id("ghost"))
        return [
            Spoiler(.version(ann.id)) { $0.reads.append(Store.AccountRead(id: ann.id, version: ann.version + 1)) },
            Spoiler(.version(ghost)) { $0.reads.append(Store.AccountRead(id: ghost, version: 0)) },
        ]
    }

    private static func absence(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let again = try StoreScene.bareAccount("ann", probe)
        return [Spoiler(.absent(again.id)) { $0.accounts.append(.create(again)) }]
    }

    // MARK: Keys

    private static func keyRule(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        [Spoiler(.keyRule(.address)) { $0.keyRule = .mailbox }]
    }

    private static func owner(_ key: UniqueKey, _ scene: StoreScene) throws -> [Spoiler] {
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let isOwned = scene.ann.ownedKeys(under: .address).contains(key)
        let wrong: [AccountID?] = isOwned ? [nil, ben] : [ann]
        return wrong.map { expected in
            Spoiler(.owner(key)) { $0.keys.append(KeyChange(key, from: expected, to: expected == nil ? ben : nil)) }
        }
    }

    private static func expectedOwner(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let ben = scene.ben.id
        return scene.ann.ownedKeys(under: .address).flatMap { key in
            [
                Spoiler(.owner(key)) { $0.keys.append(KeyChange(key, from: nil, to: nil)) },
                Spoiler(.owner(key)) { $0.keys.append(KeyChange(key, from: ben, to: ben)) },
            ]
        }
    }

    // MARK: One-time records and sessions

    private static func putRecord(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let code = scene.code
        return [Spoiler(.record(code.key)) { $0.records.insert(.put(code), at: 0) }]
    }

    private static func replaceRecord(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let missing = StoreScene.code(about: scene.ann.id, &probe)
        return [Spoiler(.record(missing.key)) { $0.records.append(.replace(missing)) }]
    }

    private static func consumeRecord(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let missing = OneTimeRecordID(bits: probe.draw())
        return [Spoiler(.record(missing)) { $0.records.append(.consume(missing)) }]
    }

    private static func putSession(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let session = scene.session
        return [Spoiler(.session(session.id)) { $0.sessions.insert(.put(session), at: 0) }]
    }

    private static func updateSession(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        let missing = StoreScene.session(of: scene.ann.id, &probe)
        return [
            Spoiler(.session(missing.id)) { $0.sessions.append(.update(missing, refreshCount: missing.refreshCount)) }
        ]
    }

    private static func exchangeCount(_ scene: StoreScene, _ probe: inout StoreProbe) throws -> [Spoiler] {
        // One that the change ends is not updated by it, too.
        guard var session = scene.rest?.sessions.first else { throw StoreScene.UnusableSample() }
        session.refreshCount += 2
        let (next, seen) = (session, session.refreshCount - 1)
        return [Spoiler(.session(next.id)) { $0.sessions.insert(.update(next, refreshCount: seen), at: 0) }]
    }
}
