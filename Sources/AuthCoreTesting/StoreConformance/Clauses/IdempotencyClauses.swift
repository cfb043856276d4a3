import AuthCore

extension StoreClause {
    static let idempotency = [
        StoreClause("an operation is written once", writtenOnce),
        StoreClause("an operation that was written is known later, too", knownLater),
        StoreClause("an operation is known for a day", knownForADay),
        StoreClause("an operation without events is written once", writtenOnceWithoutEvents),
        StoreClause("an operation is known though others have later times", earlierOnesAreKnown),
    ]

    private static func writtenOnce(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stageEverything(in: &probe)
        let change = try scene.richChange(&probe)
        try await probe.commit("a change", change)
        let before = try await StorePicture(of: scene, touchedBy: change, in: probe)
        for _ in 0..<2 {
            let again = try await probe.store.commit(change)
            probe.expect(again, is: .duplicate, "the same change again")
        }
        let after = try await StorePicture(of: scene, touchedBy: change, in: probe)
        probe.expect(before == after, "the same change was written twice")
    }

    private static func knownLater(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var first = probe.transaction()
        first.insert(try StoreScene.person("cem", probe))
        first.event(.accountCreated, scene.ann.id, by: .unauthenticated)
        try await probe.commit("a change", first.changes)
        // As many more as are soon written.
        let limit = ContinuousClock.now + .seconds(1)
        var count = 0
        while count < 1200 || count < 5000 && ContinuousClock.now < limit {
            count += 1
            try await probe.commit("a later change") { $0.event(.signedIn, scene.ann.id, by: .unauthenticated) }
        }
        let again = try await probe.store.commit(first.changes)
        probe.expect(again, is: .duplicate, "the same change again after \(count) others")
    }

    private static func knownForADay(_ probe: inout StoreProbe) async throws {
        probe.expect(probe.store.retention.operations >= .seconds(86_400), "operations are not kept for a day")
        // Each for a day of its own, wherever a store's day begins. Six steps are a few seconds less than a day.
        var written: [ChangeSet] = []
        for second in stride(from: 0, through: 60.0 * 3600, by: 4 * 3600 - 1) {
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.later(second))
            change.records = [.put(StoreScene.code(about: nil, &probe))]
            try await probe.commit("a change after \(second) seconds", change)
            written.append(change)
            _ = try await probe.store.sweep(at: change.at, limit: 100)
            for earlier in written where change.at - earlier.at < .seconds(86_400) {
                let again = try await probe.store.commit(earlier)
                probe.expect(again, is: .duplicate, "a change again, \(change.at - earlier.at) later")
            }
        }
        try await knownAsLongAsPromised(&probe)
    }

    private static func knownAsLongAsPromised(_ probe: inout StoreProbe) async throws {
        let (day, longest) = (Duration.seconds(86_400), Duration.seconds(400 * 86_400))
        let promised = min(longest, max(day, probe.store.retention.operations))
        let start = probe.later(100 * 3600)
        var changes: [ChangeSet] = []
        for time in [start, start + promised - .seconds(1)] {
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: time)
            change.records = [.put(StoreScene.code(about: nil, &probe))]
            try await probe.commit("a change", change)
            _ = try await probe.store.sweep(at: time, limit: 100)
            changes.append(change)
        }
        let again = try await probe.store.commit(changes[0])
        probe.expect(again, is: .duplicate, "a change again, a second before the end of what was promised")
    }

    private static func writtenOnceWithoutEvents(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var change = probe.transaction().changes
        change.signIns = [Store.SignInRecord(account: scene.ann.id, at: probe.later(60))]
        try await probe.commit("a sign-in", change)
        try await probe.commit("a later sign-in") {
            $0.changes.signIns = [Store.SignInRecord(account: scene.ann.id, at: $0.context.now + .seconds(120))]
        }
        probe.expect(try await probe.store.commit(change), is: .duplicate, "the first sign-in again")
        let last = try await probe.lastSignIn(of: scene.ann.id)
        probe.expect(last, is: probe.later(120), "the last sign-in after the first was sent again")
    }

    /// The clocks of two servers differ.
    private static func earlierOnesAreKnown(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let signIn = Store.SignInRecord(account: ann, at: probe.now)
        try await probe.commit("a change") { $0.changes.signIns = [signIn] }
        var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.later(-60))
        change.signIns = [signIn]
        for wanted in [Store.CommitOutcome.committed, .duplicate] {
            let outcome = try await probe.store.commit(change)
            probe.expect(outcome, is: wanted, "a change of a minute earlier, sent twice")
        }
    }
}
