import AuthCore

/// Finds out whether a store keeps the contract of `IdentityStore`, clause by clause.
///
/// Every clause gets an empty database and opens it twice:
///
/// ```swift
/// let suite = StoreConformance {
///     let path = temporaryPath()
///     return StoreSubject(open: { try await MyStore(path: path) })
/// }
/// let report = await suite.report()
/// XCTAssertEqual(report.violations, [])
/// ```
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

    /// What the suite found.
    public struct Report: Sendable, Hashable, CustomStringConvertible {
        /// All violations of the contract; empty for a store that can be relied on.
        public internal(set) var violations: [Violation] = []
        /// The clauses that were checked.
        public internal(set) var checked: [String] = []
        /// The clauses that could not be checked, because the subject cannot be reopened or interrupted, because its
        /// log keeps all events or fewer than the clause writes, or because a clause before them did not end.
        ///
        /// Of a log that keeps the newest thousand, everything can be checked.
        public internal(set) var skipped: [String] = []
        /// Whether a clause did not end in time; each further one could take as long.
        private var isHeldUp = false

        /// How many clauses were checked and how many were not, and every violation.
        public var description: String {
            let counts = "\(checked.count) clauses checked, \(skipped.count) could not be"
            return ([counts] + skipped.map { "not checked: \($0)" } + violations.map(\.description))
                .joined(separator: "\n")
        }
    }

    private let limit: Duration
    private let makeSubject: @Sendable () async throws -> StoreSubject

    /// Creates a suite for the subjects that this closure makes; each must be an empty database.
    ///
    /// - Parameters:
    ///   - limit: How long a clause may take; a store that does not answer violates it then. Some clauses make more
    ///     than a thousand calls one after the other, so a store that needs long for each needs a longer limit.
    ///   - makeSubject: Makes the subject of one clause.
    public init(
        limit: Duration = .seconds(60),
        makeSubject: @escaping @Sendable () async throws -> StoreSubject
    ) {
        self.limit = limit
        self.makeSubject = makeSubject
    }

    /// The names of all clauses.
    public static var clauses: [String] { StoreClause.all.map(\.name) }

    /// Checks every clause; where one does not end in time, those after it are not checked.
    public func report() async -> Report {
        var report = Report()
        for clause in StoreClause.all { await check(clause, &report) }
        return report
    }

    /// Checks the clause of this name; an unknown name is a violation.
    public func report(onClause name: String) async -> Report {
        var report = Report()
        if let clause = StoreClause.all.first(where: { $0.name == name }) {
            await check(clause, &report)
        } else {
            report.violations = [Violation(clause: name, finding: "there is no such clause")]
        }
        return report
    }

    private func check(_ clause: StoreClause, _ report: inout Report) async {
        await report.check(clause.name, within: limit) { [makeSubject] in
            let subject = try await makeSubject()
            var probe = StoreProbe(subject: subject, store: try await subject.open(), other: try await subject.open())
            do {
                try await clause.check(&probe)
            } catch let error where !(error is StoreClause.NotApplicable) {
                probe.report("threw \(error)")
            }
            return probe.findings
        }
    }
}

extension StoreConformance.Report {
    /// Adds what the check of a clause finds, or that the clause cannot be checked.
    mutating func check(
        _ clause: String,
        within limit: Duration,
        _ findings: @escaping @Sendable () async throws -> [String]
    ) async {
        do {
            if isHeldUp { throw StoreClause.NotApplicable() }
            let found = try await answer(within: limit, findings)
            isHeldUp = found == nil
            violations += (found ?? ["it did not end within \(limit)"]).map {
                StoreConformance.Violation(clause: clause, finding: $0)
            }
            checked.append(clause)
        } catch is StoreClause.NotApplicable {
            skipped.append(clause)
        } catch {
            violations.append(StoreConformance.Violation(clause: clause, finding: "no store could be made: \(error)"))
            checked.append(clause)
        }
    }
}

/// Waits for the body no longer than this; a body that goes on even when it is canceled is left behind, and nil
/// returned.
private func answer<Value: Sendable>(
    within limit: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    let (answers, answer) = AsyncStream.makeStream(of: Result<Value?, any Error>.self)
    let work = Task {
        do { answer.yield(.success(try await body())) } catch { answer.yield(.failure(error)) }
    }
    let timer = Task {
        // A real wait: it bounds what the store takes. `Task.sleep` stops the process where the limit is longer than
        // its clock can count.
        try await Task.sleep(for: min(limit, .seconds(366 * 86_400)))
        answer.yield(.success(nil))
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    for await first in answers { return try first.get() }
    return nil
}
