import AuthCore

/// Clauses about two handles on one database.
extension StoreClause {
    static let handles = [
        StoreClause("what is committed on one handle is read on the other", handlesAgree),
        StoreClause("an operation is known on every handle", handlesKnowOperations),
        StoreClause("a version that one handle raised is not met on the other", handlesMeetVersions),
    ]

    private static func handlesAgree(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var mirrored = probe
        mirrored.store = probe.other
        for _ in 0..<2 {
            // The other handle reads before, so that it has something that it could keep.
            _ = try await StorePicture(
                of: scene,
                touchedBy: ChangeSet(operation: .init(bits: 0), at: probe.now),
                in: mirrored
            )
            let change = try await nextChange(scene, &probe)
            try await probe.commit("a change on one handle", change)
            let here = try await StorePicture(of: scene, touchedBy: change, in: probe)
            let there = try await StorePicture(of: scene, touchedBy: change, in: mirrored)
            probe.expect(here == there, "the other handle shows something else")
        }
    }

    /// A change that writes every table, or once that is written a further name for Ben.
    private static func nextChange(_ scene: StoreScene, _ probe: inout StoreProbe) async throws -> ChangeSet {
        guard let ben = try await probe.account(scene.ben.id), (1..<UInt64.max).contains(ben.version) else {
            return try scene.richChange(&probe)
        }
        var (renamed, transaction) = (ben, probe.transaction())
        renamed.displayName = "Benjamin"
        transaction.replace(ben, with: &renamed)
        return transaction.changes
    }

    private static func handlesKnowOperations(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let change = try scene.richChange(&probe)
        try await probe.commit("a change", change)
        probe.expect(try await probe.other.commit(change), is: .duplicate, "the same change on the other handle")
    }

    private static func handlesMeetVersions(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann
        _ = try await probe.other.load([.account(ann.id)])
        var renamed = ann
        renamed.displayName = "A."
        try await probe.commit("a change on one handle") { $0.replace(ann, with: &renamed) }
        var (late, transaction) = (ann, probe.transaction())
        late.displayName = "Annie"
        transaction.replace(ann, with: &late)
        let outcome = try await probe.other.commit(transaction.changes)
        probe.expect(outcome, is: .violated(.version(ann.id)), "a change of the earlier version on the other handle")
    }
}
