import AuthCore

/// Finds out whether an attempt store keeps the contract of `AttemptStore`, clause by clause.
///
/// Every clause gets an empty database and opens it twice:
///
/// ```swift
/// let suite = AttemptStoreConformance {
///     let path = temporaryPath()
///     return AttemptStoreSubject(open: { try await MyAttemptStore(path: path) })
/// }
/// let report = await suite.report()
/// XCTAssertEqual(report.violations, [])
/// ```
public struct AttemptStoreConformance: Sendable {
    private let limit: Duration
    private let makeSubject: @Sendable () async throws -> AttemptStoreSubject

    /// Creates a suite for the subjects that this closure makes; each must be an empty database.
    ///
    /// - Parameters:
    ///   - limit: How long a clause may take; a store that does not answer violates it then. Some clauses make more
    ///     than a thousand calls one after the other, so a store that needs long for each needs a longer limit.
    ///   - makeSubject: Makes the subject of one clause.
    public init(
        limit: Duration = .seconds(60),
        makeSubject: @escaping @Sendable () async throws -> AttemptStoreSubject
    ) {
        self.limit = limit
        self.makeSubject = makeSubject
    }

    /// The names of all clauses.
    public static var clauses: [String] { AttemptClause.all.map(\.name) }

    /// Checks every clause; where one does not end in time, those after it are not checked.
    public func report() async -> StoreConformance.Report {
        var report = StoreConformance.Report()
        for clause in AttemptClause.all { await check(clause, &report) }
        return report
    }

    /// Checks the clause of this name; an unknown name is a violation.
    public func report(onClause name: String) async -> StoreConformance.Report {
        var report = StoreConformance.Report()
        if let clause = AttemptClause.all.first(where: { $0.name == name }) {
            await check(clause, &report)
        } else {
            report.violations = [StoreConformance.Violation(clause: name, finding: "there is no such clause")]
        }
        return report
    }

    private func check(_ clause: AttemptClause, _ report: inout StoreConformance.Report) async {
        await report.check(clause.name, within: limit) { [makeSubject] in
            let subject = try await makeSubject()
            var probe = AttemptProbe(subject: subject, store: try await subject.open(), other: try await subject.open())
            do {
                try await clause.check(&probe)
            } catch let error where !(error is StoreClause.NotApplicable) {
                probe.findings.append("threw \(error)")
            }
            return probe.findings
        }
    }
}

/// An attempt store under examination, and what was found.
struct AttemptProbe: Sendable {
    let subject: AttemptStoreSubject
    var store: any AttemptStore
    /// Another handle on the same database; a store in memory has only one.
    let other: any AttemptStore
    var findings: [String] = []
    var now = Timestamp(seconds: 1_800_000_000)

    mutating func expect<Value: Equatable>(_ found: Value, is wanted: Value, _ what: String) {
        if found != wanted { findings.append("\(what): \(found) instead of \(wanted)") }
    }

    /// Takes so often, on another handle than the first if one is given, and reports if the answers are others.
    mutating func expect(
        _ takes: [Store.Take],
        give answers: [Store.TakeAnswer],
        _ what: String,
        on handle: (any AttemptStore)? = nil
    ) async throws {
        for (index, wanted) in answers.enumerated() {
            expect(try await (handle ?? store).take(takes, at: now), is: wanted, "\(what), attempt \(index + 1)")
        }
    }
}
