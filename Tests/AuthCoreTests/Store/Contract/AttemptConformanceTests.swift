import AuthCore
import AuthCoreTesting
import XCTest

/// S31: attempt stores keep their contract, and each clause rejects a store that does not.
final class AttemptConformanceTests: LimitedTestCase {
    private static let reopening = "what was counted counts after the store is opened again"
    private static let flood = "a flood of other keys makes no key count less"

    func testTheStoreInMemoryKeepsTheContract() async {
        let report = await AttemptStoreConformance { AttemptStoreSubject(InMemoryAttemptStore()) }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.skipped, [Self.reopening], "a store in memory ends with its process")
        XCTAssertEqual(Set(report.checked + report.skipped), Set(AttemptStoreConformance.clauses), "what was looked at")
    }

    func testAFullTableKeepsTheContract() async {
        for capacity in [1, 64] {
            let report = await AttemptStoreConformance {
                AttemptStoreSubject(InMemoryAttemptStore(capacity: capacity))
            }.report()
            // Keys that share a place count together, so that an attempt may be refused too early, but not taken too
            // late.
            let serious = report.violations.filter {
                $0.finding.contains("forgotten") || $0.finding.contains("taken instead of refused")
            }
            XCTAssertEqual(serious, [], "\(capacity) places")
            XCTAssertTrue(report.checked.contains(Self.flood), "the flood was not looked at")
        }
    }

    func testARightStoreThatIsWrittenDifferentlyKeepsTheContract() async {
        let report = await AttemptStoreConformance { AttemptStoreSubject(PlainAttempts()) }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
    }

    func testARightDatabaseWithTwoHandlesKeepsTheContract() async {
        for clause in AttemptStoreConformance.clauses
        where clause.contains("handle") || clause.contains("orders") || clause == Self.reopening {
            let report = await AttemptStoreConformance { AttemptDatabase(.none).subject }.report(onClause: clause)
            XCTAssertEqual(report.violations, [], "\(report)")
            XCTAssertEqual(report.checked, [clause], "the clause was not checked")
        }
    }

    func testEveryHabitThatIsAFlawIsRejected() async throws {
        XCTAssertGreaterThan(AttemptFlaw.all.count, 20)
        let found = try await parallelMap(AttemptFlaw.all) { flaw in
            await AttemptStoreConformance { AttemptStoreSubject(flaw.make()) }.report(onClause: flaw.clause)
        }
        for (flaw, report) in zip(AttemptFlaw.all, found) {
            XCTAssertFalse(report.violations.isEmpty, "\(flaw.name) is not found by: \(flaw.clause)")
            XCTAssertEqual(Set(report.violations.map(\.clause)), [flaw.clause], "named for another clause")
        }
    }

    private static let handleFlaws: [(AttemptDatabase.Habit, String)] = [
        (.countsApart, "what is counted on one handle counts on the other"),
        (.readsOnce, "what is counted on one handle counts on the other"),
        (.takesTurnsOnlyByItself, "of parallel attempts on two handles no more are taken than allowed"),
        (.takesTurnsOnlyByItself, "of parallel ends on two handles each counts once"),
        (.locksInOrder, "attempts that name the same keys in other orders do not wait for each other"),
        (.losesCounts, reopening), (.losesFlights, reopening), (.clearsInMemory, reopening),
    ]

    func testEveryFlawOfADatabaseWithTwoHandlesIsRejected() async {
        for (habit, clause) in Self.handleFlaws {
            let report = await AttemptStoreConformance { AttemptDatabase(habit).subject }.report(onClause: clause)
            XCTAssertFalse(report.violations.isEmpty, "\(habit) is not found by: \(clause)")
        }
        let habits = Set(Self.handleFlaws.map(\.0)).union([.none])
        XCTAssertEqual(habits, Set(AttemptDatabase.Habit.allCases), "a flaw that no clause was tried on")
    }

    func testAClauseThatThereIsNotIsReported() async {
        let report = await AttemptStoreConformance { AttemptStoreSubject(PlainAttempts()) }
            .report(onClause: "unheard of")
        XCTAssertEqual(report.violations.map(\.finding), ["there is no such clause"])
    }

    func testAStoreThatCannotBeMadeIsReported() async {
        let clause = "purposes are counted apart"
        let report = await AttemptStoreConformance { throw CancellationError() }.report(onClause: clause)
        XCTAssertEqual(report.violations.map(\.clause), [clause], "\(report)")
        XCTAssertTrue(report.violations[0].finding.hasPrefix("no store could be made"), "\(report)")
        XCTAssertEqual(report.checked, [clause], "a clause that cannot begin was not counted")
    }

    func testAStoreThatNeverAnswersIsReportedAtTheLimit() async {
        let never = Gate()
        let report = await AttemptStoreConformance(limit: .milliseconds(20)) {
            AttemptStoreSubject(WaitingAttempts(gate: never))
        }.report()
        let findings = report.violations.map(\.finding)
        XCTAssertEqual(findings, ["it did not end within 0.02 seconds"], "what is said of the first clause")
        XCTAssertEqual(report.checked, Array(AttemptStoreConformance.clauses.prefix(1)), "what was checked")
        XCTAssertEqual(report.skipped, Array(AttemptStoreConformance.clauses.dropFirst()), "each would take as long")
        never.open()
    }

    func testAFindingSaysWhatWasFoundInsteadOfWhat() async {
        let report = await AttemptStoreConformance { AttemptStoreSubject(FlawedAttempts(.countsTheFirstKey)) }
            .report(onClause: "an attempt counts under every key")
        let finding = report.violations.first?.finding ?? "nothing"
        let beginning = "each key by itself, attempt 1: taken instead of refused(until: "
        XCTAssertTrue(finding.hasPrefix(beginning), "what is said of a key that did not count: \(finding)")
    }

    func testEveryPlantedFlawIsRejected() async {
        let flaws: [FlawedAttempts.Flaw: String] = [
            .countsTheFirstKey: "an attempt counts under every key",
            .countsBeforeItRefuses: "what one key refuses counts under none",
            .asksThenCounts: "of parallel attempts no more are taken than allowed",
            .takesKeysOneByOne: "what one key refuses disturbs no other attempt",
            .clearsFlights: "clearing a key leaves its attempts in flight counted",
            .refundsAll: "a success gives back exactly its own attempt",
            .refundsFailures: "a failure stays counted",
            .callsFlightsRefused: "where attempts in flight stand in the way, the answer says so",
            .clearsEverything: "a key that is cleared is free, and no other one",
            .mixesPurposes: "purposes are counted apart",
            .forgetsUnderFlood: "a flood of other keys makes no key count less",
            .hasNoTime: "an attempt counts until a window after it",
            .fearsTheClock: "a clock that is set back refuses no attempt",
            .neverWaits: "waits double, and counts wear away",
            .forgivesInAYear: "consecutive failures count without an end",
        ]
        XCTAssertEqual(Set(flaws.keys), Set(FlawedAttempts.Flaw.allCases))
        XCTAssertEqual(
            Set(flaws.values).union(AttemptFlaw.all.map(\.clause)).union(Self.handleFlaws.map(\.1)),
            Set(AttemptStoreConformance.clauses),
            "a clause that nothing breaks proves nothing"
        )
        for (flaw, clause) in flaws {
            let report = await AttemptStoreConformance { AttemptStoreSubject(FlawedAttempts(flaw)) }
                .report(onClause: clause)
            XCTAssertFalse(report.violations.isEmpty, "\(flaw) is not found by: \(clause)")
        }
    }
}

/// An attempt store that answers no attempt until a gate opens.
private struct WaitingAttempts: AttemptStore {
    let gate: Gate
    let whole = PlainAttempts()

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        await gate.pass()
        return try await whole.take(takes, at: now)
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        try await whole.keep(takes, at: now)
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        try await whole.refund(takes, clearing: keys, at: now)
    }
}

/// An attempt store with one flaw.
private actor FlawedAttempts: AttemptStore {
    enum Flaw: CaseIterable {
        case countsTheFirstKey, countsBeforeItRefuses, asksThenCounts, refundsAll, refundsFailures
        case callsFlightsRefused, clearsEverything, mixesPurposes, forgetsUnderFlood, hasNoTime, neverWaits
        case forgivesInAYear, fearsTheClock, takesKeysOneByOne, clearsFlights
    }

    private let flaw: Flaw
    private var records: [Store.AttemptKey: Store.AttemptRecord] = [:]
    private var order: [Store.AttemptKey] = []
    private var latest = Timestamp(seconds: 0)
    private var arrived = 0
    private var patience = 20_000
    private let start = Timestamp(seconds: 1_800_000_000)

    init(_ flaw: Flaw) { self.flaw = flaw }

    private func key(_ key: Store.AttemptKey) -> Store.AttemptKey {
        flaw == .mixesPurposes ? Store.AttemptKey(purpose: .code, hash: key.hash) : key
    }

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        var now = flaw == .hasNoTime ? start : now
        if flaw == .forgivesInAYear, now - start > .seconds(86_400 * 300) {
            records = [:]
            now = now + .seconds(1)
        }
        if flaw == .fearsTheClock, now < latest { return .refused(until: latest) }
        latest = now
        if flaw == .takesKeysOneByOne { return await takeOneByOne(takes, at: now) }
        let answers = takes.map { (records[key($0.key)] ?? Store.AttemptRecord()).answer($0.allowance, at: now) }
        let answer = Store.TakeAnswer(answers)
        if flaw == .asksThenCounts { await waitForAnother() }
        let isFlawed = flaw == .countsBeforeItRefuses || flaw == .neverWaits && takes[0].key.purpose == .password
        guard answer == .taken || isFlawed else {
            if answer == .inFlight, flaw == .callsFlightsRefused { return .refused(until: nil) }
            return answer
        }
        for take in flaw == .countsTheFirstKey ? Array(takes.prefix(1)) : takes {
            if records[key(take.key)] == nil { order.append(key(take.key)) }
            records[key(take.key), default: Store.AttemptRecord()].take(take, at: now)
        }
        if flaw == .forgetsUnderFlood, order.count > 1000 { records[order.removeFirst()] = nil }
        return flaw == .neverWaits ? .taken : answer
    }

    /// Lets other attempts ask as well; on a busy machine, the next one needs many turns until it does.
    private func waitForAnother() async {
        arrived += 1
        let own = arrived
        while arrived == own, patience > 0 {
            patience -= 1
            await Task.yield()
        }
        for _ in 0..<100 { await Task.yield() }
    }

    private func takeOneByOne(_ takes: [Store.Take], at now: Timestamp) async -> Store.TakeAnswer {
        arrived += 1
        let (own, limit) = (arrived, ContinuousClock.now + .seconds(1))
        let isRefused = takes.contains {
            (records[$0.key] ?? Store.AttemptRecord()).answer($0.allowance, at: now) != .taken
        }
        for (index, take) in takes.enumerated() {
            let answer = (records[take.key] ?? Store.AttemptRecord()).answer(take.allowance, at: now)
            guard answer == .taken else {
                for taken in takes[..<index] { records[taken.key]?.refund() }
                return answer
            }
            records[take.key, default: Store.AttemptRecord()].take(take, at: now)
            // Where a later key refuses, another attempt comes between; on a busy machine it may take long.
            while isRefused, arrived == own, ContinuousClock.now < limit { await Task.yield() }
        }
        return .taken
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        for take in takes { records[key(take.key)]?.keep(take.allowance, at: flaw == .hasNoTime ? start : now) }
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        for take in takes {
            switch flaw {
            case .refundsAll: records[key(take.key)] = nil
            case .refundsFailures: records[key(take.key)]?.clear()
            default: records[key(take.key)]?.refund()
            }
        }
        if flaw == .clearsEverything, !keys.isEmpty { records = [:] }
        for cleared in keys {
            records[key(cleared)]?.clear()
            if flaw == .clearsFlights { records[key(cleared)] = nil }
        }
    }
}
