@testable import AuthCore
import Foundation

/// A right attempt store, without buckets and limits; its habits make it a flawed one.
actor PlainAttempts: AttemptStore {
    /// What it does with what it is given and what it keeps.
    struct Habits: Sendable {
        /// The key under which it counts.
        var key: @Sendable (Store.AttemptKey) -> Store.AttemptKey = { $0 }
        /// The takes that it judges and counts.
        var taken: @Sendable ([Store.Take]) -> [Store.Take] = { $0 }
        /// The answer to several takes.
        var combine: @Sendable ([Store.TakeAnswer]) -> Store.TakeAnswer = { Store.TakeAnswer($0) }
        /// The takes that it keeps or gives back.
        var ended: @Sendable ([Store.Take]) -> [Store.Take] = { $0 }
        /// The keys that it clears.
        var cleared: @Sendable ([Store.AttemptKey]) -> [Store.AttemptKey] = { $0 }
        /// What it writes instead of a count.
        var write: @Sendable (_ before: AttemptRecord, _ after: AttemptRecord, _ now: Timestamp) -> AttemptRecord = {
            _,
            after,
            _ in
            after
        }
        /// What it reads instead of a count.
        var read: @Sendable (AttemptRecord, _ now: Timestamp) -> AttemptRecord = { record, _ in record }
        /// Whether it counts what it refuses, as a failure.
        var countsRefusals = false
        /// Whether an end that was not in flight counts.
        var countsEveryEnd = false
        /// Whether an end that was not in flight is the last one that it looks at.
        var stopsAtMissingOnes = false
        /// Whether the end of an attempt counts as a failure where nothing ever counted.
        var failsUnknownKeys = false
        /// Whether the first allowance of a key stays its allowance.
        var keepsAllowances = false
        /// How long a count is kept after a take or a failure under this allowance; nil where that sets no time.
        var life: @Sendable (Store.Allowance, _ isTake: Bool) -> Duration? = { _, _ in nil }
        /// Whether others come between its reading and its writing.
        var isSlow = false
        /// Whether attempts can come between the reading and the writing of an end, and no other end.
        var endsBesideTakes = false
        /// Whether attempts can come between the reading and the writing of a clearing.
        var clearsBesideTakes = false
        /// Whether others come between the reading and the writing of an attempt that counts at once.
        var settlesSlowly = false
        /// Whether others come between the keys of an attempt.
        var countsKeysApart = false
        /// Whether an attempt that is canceled ends between its keys.
        var endsBetweenKeys = false
        /// Whether attempts can come between finding a count empty and removing it.
        var removesBesideTakes = false
        /// Whether the end of an attempt whose task is canceled is answered and not written.
        var skipsCanceledEnds = false
    }

    private let habits: Habits
    private var records: [Store.AttemptKey: AttemptRecord] = [:]
    private var allowances: [Store.AttemptKey: Store.Allowance] = [:]
    private var ends: [Store.AttemptKey: Timestamp] = [:]
    private var takeCount = 0
    private var isEnding = false

    init(_ habits: Habits = Habits()) { self.habits = habits }

    private func record(_ key: Store.AttemptKey, at now: Timestamp) -> AttemptRecord {
        if let end = ends[habits.key(key)], end <= now { return AttemptRecord() }
        return habits.read(records[habits.key(key)] ?? AttemptRecord(), now)
    }

    private func prolong(_ take: Store.Take, isTake: Bool, at now: Timestamp) {
        if let life = habits.life(take.allowance, isTake) { ends[habits.key(take.key)] = now + life }
    }

    private func allowance(_ take: Store.Take) -> Store.Allowance {
        guard habits.keepsAllowances else { return take.allowance }
        let first = allowances[take.key] ?? take.allowance
        allowances[take.key] = first
        return first
    }

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        takeCount += 1
        let takes = habits.taken(takes)
        let answer = habits.combine(takes.map { record($0.key, at: now).answer(allowance($0), at: now) })
        if answer != .taken, !habits.countsRefusals { return answer }
        let read = takes.map { record($0.key, at: now) }
        let isSlow = habits.settlesSlowly && takes.allSatisfy(\.isSettled)
        if isSlow { for _ in 0..<10 { await Task.yield() } }
        for (place, take) in takes.enumerated() {
            let before = isSlow ? read[place] : record(take.key, at: now)
            var after = before
            after.take(answer == .taken ? take : Store.Take(take.key, take.allowance, isSettled: true), at: now)
            records[habits.key(take.key)] = habits.write(before, after, now)
            prolong(take, isTake: true, at: now)
            if habits.endsBetweenKeys {
                for _ in 0..<10 { await Task.yield() }
                try Task.checkCancellation()
            }
            if habits.countsKeysApart, place + 1 < takes.count {
                for _ in 0..<10 { await Task.yield() }
                let next = takes[place + 1]
                let again = record(next.key, at: now).answer(allowance(next), at: now)
                if again != .taken { return again }
            }
        }
        return answer
    }

    /// Lets an attempt come between, if there is one; on a busy machine that takes many turns.
    private func waitForTake() async {
        let (before, limit) = (takeCount, ContinuousClock.now + .milliseconds(100))
        while takeCount == before, ContinuousClock.now < limit { await Task.yield() }
    }

    private func change(
        _ key: Store.AttemptKey,
        at now: Timestamp,
        besideTakes: Bool,
        _ change: (inout AttemptRecord) -> Void
    ) async {
        while besideTakes, isEnding { await Task.yield() }
        if besideTakes { isEnding = true }
        defer { if besideTakes { isEnding = false } }
        let before = record(key, at: now)
        var after = before
        change(&after)
        if habits.isSlow { for _ in 0..<10 { await Task.yield() } }
        if besideTakes { await waitForTake() }
        records[habits.key(key)] = habits.write(before, after, now)
        if habits.removesBesideTakes, after == AttemptRecord() {
            await waitForTake()
            records[habits.key(key)] = nil
        }
    }

    /// Whether a call is left out, since its task is canceled.
    private func isLeftOut() async -> Bool {
        guard habits.skipsCanceledEnds else { return false }
        for _ in 0..<3 { await Task.yield() }
        return Task.isCancelled
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        if await isLeftOut() { return }
        for take in habits.ended(takes) {
            let isUnknown = records[habits.key(take.key)] == nil
            if habits.stopsAtMissingOnes, record(take.key, at: now).inFlight == 0 { return }
            let counts = habits.countsEveryEnd || habits.failsUnknownKeys && isUnknown
            await change(take.key, at: now, besideTakes: habits.endsBesideTakes) { record in
                if counts, record.inFlight == 0 { record.take(Store.Take(take.key, take.allowance), at: now) }
                record.keep(take.allowance, takenAt: take.takenAt, at: now)
            }
            prolong(take, isTake: false, at: now)
        }
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        if await isLeftOut() { return }
        for take in habits.ended(takes) {
            if habits.stopsAtMissingOnes, record(take.key, at: now).inFlight == 0 { return }
            let counts = habits.countsEveryEnd
            await change(take.key, at: now, besideTakes: habits.endsBesideTakes) { record in
                if counts, record.inFlight == 0 { record.clear() }
                record.refund(takenAt: take.takenAt)
            }
        }
        for key in habits.cleared(keys) {
            await change(key, at: now, besideTakes: habits.clearsBesideTakes) { $0.clear() }
        }
    }
}

extension AttemptRecord {
    /// The same record with other members, named as they are.
    func edited(_ edit: (inout [String: Any]) -> Void) -> AttemptRecord {
        guard let data = try? JSONEncoder().encode(self),
            var members = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return self }
        edit(&members)
        guard let edited = try? JSONSerialization.data(withJSONObject: members) else { return self }
        return (try? JSONDecoder().decode(AttemptRecord.self, from: edited)) ?? self
    }
}
