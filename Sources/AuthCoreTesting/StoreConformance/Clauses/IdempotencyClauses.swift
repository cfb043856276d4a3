import AuthCore

extension StoreClause {
    static let idempotency = [
        StoreClause("an operation is written once", writtenOnce),
        StoreClause("an operation that was written is known later, too", knownLater),
    ]

    private static func writtenOnce(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
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
        for _ in 0..<1000 {
            try await probe.commit("a later change") { $0.event(.signedIn, scene.ann.id, by: .unauthenticated) }
        }
        let again = try await probe.store.commit(first.changes)
        probe.expect(again, is: .duplicate, "the same change again after a thousand others")
    }
}
