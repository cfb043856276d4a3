public import AuthCore

/// Finds out whether an attempt store keeps the contract of `AttemptStore`, clause by clause.
///
/// Every clause gets an empty store:
///
///     let found = await AttemptStoreConformance { MyAttemptStore(path: temporary()) }.violations()
///     XCTAssertEqual(found, [])
public struct AttemptStoreConformance: Sendable {
    private let makeStore: @Sendable () async throws -> any AttemptStore

    /// Makes a suite for the stores that this closure makes; each store must be empty.
    public init(makeStore: @escaping @Sendable () async throws -> any AttemptStore) {
        self.makeStore = makeStore
    }

    /// The names of all clauses.
    public static var clauses: [String] { AttemptClause.all.map(\.name) }

    /// All violations of the contract; empty for a store that can be relied on.
    public func violations() async -> [StoreConformance.Violation] {
        var found: [StoreConformance.Violation] = []
        for clause in AttemptClause.all { found += await violations(of: clause) }
        return found
    }

    /// The violations of the clause of this name.
    public func violations(onClause name: String) async -> [StoreConformance.Violation] {
        guard let clause = AttemptClause.all.first(where: { $0.name == name }) else {
            return [StoreConformance.Violation(clause: name, finding: "there is no such clause")]
        }
        return await violations(of: clause)
    }

    private func violations(of clause: AttemptClause) async -> [StoreConformance.Violation] {
        do {
            var probe = AttemptProbe(store: try await makeStore())
            do { try await clause.check(&probe) } catch { probe.findings.append("threw \(error)") }
            return probe.findings.map { StoreConformance.Violation(clause: clause.name, finding: $0) }
        } catch {
            return [StoreConformance.Violation(clause: clause.name, finding: "no store could be made: \(error)")]
        }
    }
}

/// An attempt store under examination, and what was found.
struct AttemptProbe: Sendable {
    let store: any AttemptStore
    var findings: [String] = []
    var now = Timestamp(seconds: 1_800_000_000)

    init(store: any AttemptStore) { self.store = store }

    mutating func expect<Value: Equatable>(_ found: Value, is wanted: Value, _ what: String) {
        if found != wanted { findings.append("\(what): \(found) instead of \(wanted)") }
    }

    /// Takes so often, and reports if the answers are others.
    mutating func expect(_ takes: [Store.Take], give answers: [Store.TakeAnswer], _ what: String) async throws {
        for (index, wanted) in answers.enumerated() {
            expect(try await store.take(takes, at: now), is: wanted, "\(what), attempt \(index + 1)")
        }
    }
}
