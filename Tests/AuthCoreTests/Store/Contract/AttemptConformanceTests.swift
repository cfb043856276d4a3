import AuthCore
import AuthCoreTesting
import XCTest

/// S31: attempt stores keep their contract, and each clause rejects a store that does not.
final class AttemptConformanceTests: XCTestCase {
    func testTheStoreInMemoryKeepsTheContract() async {
        let found = await AttemptStoreConformance { InMemoryAttemptStore() }.violations()
        XCTAssertEqual(found, [])
    }

    func testAFullTableKeepsTheContract() async {
        for capacity in [1, 64] {
            let found = await AttemptStoreConformance { InMemoryAttemptStore(capacity: capacity) }.violations()
            // Keys that share a place count together, which only the flood may show.
            let serious = found.filter { $0.finding.contains("forgotten") }
            XCTAssertEqual(serious, [], "\(capacity) places")
        }
    }

    func testARightStoreThatIsWrittenDifferentlyKeepsTheContract() async {
        let found = await AttemptStoreConformance { PlainAttempts() }.violations()
        XCTAssertEqual(found, [])
    }

    func testEveryHabitThatIsAFlawIsRejected() async throws {
        XCTAssertGreaterThan(AttemptFlaw.all.count, 20)
        let found = try await parallelMap(AttemptFlaw.all) { flaw in
            await AttemptStoreConformance { flaw.make() }.violations(onClause: flaw.clause).map(\.clause)
        }
        for (flaw, clauses) in zip(AttemptFlaw.all, found) {
            XCTAssertTrue(clauses.contains(flaw.clause), "\(flaw.name) is not found by: \(flaw.clause)")
        }
    }

    func testAClauseThatThereIsNotIsReported() async {
        let found = await AttemptStoreConformance { PlainAttempts() }.violations(onClause: "unheard of")
        XCTAssertEqual(found.map(\.finding), ["there is no such clause"])
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
            Set(flaws.values).union(AttemptFlaw.all.map(\.clause)),
            Set(AttemptStoreConformance.clauses),
            "a clause that nothing breaks proves nothing"
        )
        for (flaw, clause) in flaws {
            let found = await AttemptStoreConformance { FlawedAttempts(flaw) }.violations(onClause: clause)
            XCTAssertFalse(found.isEmpty, "\(flaw) is not found by: \(clause)")
        }
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
