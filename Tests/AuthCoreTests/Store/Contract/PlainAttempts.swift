@testable import AuthCore
import Foundation

/// A right attempt store, without buckets and limits; its habits make it a flawed one.
actor PlainAttempts: AttemptStore {
    /// What it does with what it is given and what it keeps.
    struct Habits: Sendable {
        /// The key under which it counts.
        var key: @Sendable (Store.AttemptKey) -> Store.AttemptKey = { $0 }
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
        /// Whether the first allowance of a key stays its allowance.
        var keepsAllowances = false
        /// Whether others come between its reading and its writing.
        var isSlow = false
    }

    private let habits: Habits
    private var records: [Store.AttemptKey: AttemptRecord] = [:]
    private var allowances: [Store.AttemptKey: Store.Allowance] = [:]

    init(_ habits: Habits = Habits()) { self.habits = habits }

    private func record(_ key: Store.AttemptKey, at now: Timestamp) -> AttemptRecord {
        habits.read(records[habits.key(key)] ?? AttemptRecord(), now)
    }

    private func allowance(_ take: Store.Take) -> Store.Allowance {
        guard habits.keepsAllowances else { return take.allowance }
        let first = allowances[take.key] ?? take.allowance
        allowances[take.key] = first
        return first
    }

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        let answer = habits.combine(takes.map { record($0.key, at: now).answer(allowance($0), at: now) })
        if answer != .taken, !habits.countsRefusals { return answer }
        for take in takes {
            let before = record(take.key, at: now)
            var after = before
            after.take(answer == .taken ? take : Store.Take(take.key, take.allowance, isSettled: true), at: now)
            records[habits.key(take.key)] = habits.write(before, after, now)
        }
        return answer
    }

    private func change(_ key: Store.AttemptKey, at now: Timestamp, _ change: (inout AttemptRecord) -> Void) async {
        let before = record(key, at: now)
        var after = before
        change(&after)
        if habits.isSlow { for _ in 0..<10 { await Task.yield() } }
        records[habits.key(key)] = habits.write(before, after, now)
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        for take in habits.ended(takes) {
            let counts = habits.countsEveryEnd
            await change(take.key, at: now) { record in
                if counts, record.inFlight == 0 { record.take(Store.Take(take.key, take.allowance), at: now) }
                record.keep(take.allowance, takenAt: take.takenAt, at: now)
            }
        }
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        for take in habits.ended(takes) {
            let counts = habits.countsEveryEnd
            await change(take.key, at: now) { record in
                if counts, record.inFlight == 0 { record.clear() }
                record.refund(takenAt: take.takenAt)
            }
        }
        for key in habits.cleared(keys) { await change(key, at: now) { $0.clear() } }
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
