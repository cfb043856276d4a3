/// One clause of the contract, with the check that finds out whether a store keeps it.
struct StoreClause: Sendable {
    let name: String
    let check: @Sendable (inout StoreProbe) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (inout StoreProbe) async throws -> Void) {
        self.name = name
        self.check = check
    }

    static let all: [StoreClause] =
        reading + preconditions + keys + references + idempotency + events + sessions + records + outbox + sweeping
        + due + paging + copies + wholes + preconditionTable + commits + names + rows + referenceLists + queues
        + parallel + meanwhile + sideBySide + moments + handles + oldValues + compounds + times + extremes
        + combinations + keptSessions + lookalikes + repeated + purposes + contacts + orders
        + canceled + reused + durability + recovery

    /// Thrown by a clause that this store cannot be asked to keep.
    struct NotApplicable: Error {}
}
