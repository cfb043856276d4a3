import AuthCore

/// Clauses about a store that is interrupted and then opened again, as after the end of its machine.
extension StoreClause {
    static let recovery = [
        StoreClause(
            "a commit that is interrupted is whole or not there after the store is opened again",
            interruptedCommitsAreWholeLater
        )
    ]

    private static func interruptedCommitsAreWholeLater(_ probe: inout StoreProbe) async throws {
        guard let interrupt = probe.subject.interrupt, let reopen = probe.subject.reopen else { throw NotApplicable() }
        try probe.requireLog(of: 2)
        let whole = try await StorePicture.whole(like: probe)
        let scene = try await StoreScene.stageEverything(in: &probe)
        let change = try scene.richChange(&probe)
        let before = try await StorePicture(of: scene, touchedBy: change, in: probe)
        for statement in 0..<1000 {
            try await interrupt(statement)
            let outcome = try? await probe.store.commit(change)
            // What another handle sees is not yet what is read from the disk.
            probe.store = try await reopen()
            let after = try await StorePicture(of: scene, touchedBy: change, in: probe)
            if outcome == nil, after == before { continue }
            probe.expect(
                after.withoutVersions == whole,
                "a commit that was interrupted after statement \(statement) is there in part, once opened again"
            )
            probe.expect(try await probe.store.commit(change), is: .duplicate, "the change that is there, again")
            return
        }
        probe.report("a commit has more than a thousand statements, or every one was interrupted")
    }
}
