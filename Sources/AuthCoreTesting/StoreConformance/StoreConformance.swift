public import AuthCore

/// Finds out whether a store keeps the contract of `IdentityStore`, clause by clause.
///
/// Every clause gets an empty store:
///
///     let found = await StoreConformance { try await MyStore(path: temporary()) }.violations()
///     XCTAssertEqual(found, [])
public struct StoreConformance: Sendable {
    /// One violation of the contract by a store.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The clause that the store violates.
        public let clause: String
        /// What was found.
        public let finding: String

        /// The clause and what was found.
        public var description: String { "\(clause): \(finding)" }
    }

    private let makeStore: @Sendable () async throws -> any IdentityStore

    /// Makes a suite for the stores that this closure makes; each store must be empty.
    public init(makeStore: @escaping @Sendable () async throws -> any IdentityStore) {
        self.makeStore = makeStore
    }

    /// The names of all clauses.
    public static var clauses: [String] { StoreClause.all.map(\.name) }

    /// All violations of the contract; empty for a store that can be relied on.
    public func violations() async -> [Violation] {
        var found: [Violation] = []
        for clause in StoreClause.all { found += await violations(of: clause) }
        return found
    }

    /// The violations of the clause of this name.
    public func violations(ofClause name: String) async -> [Violation] {
        guard let clause = StoreClause.all.first(where: { $0.name == name }) else {
            return [Violation(clause: name, finding: "there is no such clause")]
        }
        return await violations(of: clause)
    }

    private func violations(of clause: StoreClause) async -> [Violation] {
        do {
            var probe = StoreProbe(store: try await makeStore())
            do {
                try await clause.check(&probe)
            } catch {
                probe.report("threw \(error)")
            }
            return probe.findings.map { Violation(clause: clause.name, finding: $0) }
        } catch {
            return [Violation(clause: clause.name, finding: "no store could be made: \(error)")]
        }
    }
}
