import AuthCore

/// How clauses let changes meet.
extension StoreClause {
    static let contenders = 32
    static let rounds = 8

    /// The outcomes of commits that all start at the same time, in turns on the two handles.
    static func race(_ changes: [ChangeSet], _ probe: StoreProbe) async throws -> [Store.CommitOutcome] {
        let stores = [probe.store, probe.other]
        return try await withThrowingTaskGroup(of: Store.CommitOutcome.self) { group in
            let start = StartingLine(runners: changes.count)
            for (index, change) in changes.enumerated() {
                group.addTask {
                    await start.arrive()
                    return try await stores[index % 2].commit(change)
                }
            }
            var outcomes: [Store.CommitOutcome] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }

    /// Commits what many contenders write at once; exactly one may win, and the others learn what did not hold.
    static func expectOneWinner(
        _ contenders: Int = contenders,
        losers: Store.Precondition...,
        in probe: inout StoreProbe,
        _ body: (Int, inout Transaction) throws -> Void
    ) async throws {
        let changes = try (0..<contenders).map { number in
            var transaction = probe.transaction()
            try body(number, &transaction)
            return transaction.changes
        }
        let outcomes = try await race(changes, probe)
        probe.expect(outcomes.count(where: \.isWritten), is: 1, "how many won")
        let lost = outcomes.count { outcome in losers.contains { outcome == .violated($0) } }
        probe.expect(lost, is: outcomes.count - 1, "how many were answered with the precondition")
    }
}
