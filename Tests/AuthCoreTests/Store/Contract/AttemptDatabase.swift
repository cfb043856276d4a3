import AuthCore
import AuthCoreTesting
import Synchronization

/// A database of attempts on which several handles can be opened; its habit makes it a flawed one.
final class AttemptDatabase: Sendable {
    enum Habit: CaseIterable {
        /// None: it is a right store.
        case none
        /// Each handle counts by itself.
        case countsApart
        /// A handle reads a count once, and later its own copy.
        case readsOnce
        /// A handle is one after the other for itself, and not with the other handles.
        case takesTurnsOnlyByItself
        /// Counts are lost when the database is opened again.
        case losesCounts
        /// Attempts in flight are lost when the database is opened again.
        case losesFlights
        /// A handle locks one key after the other, and fails where two calls wait for each other.
        case locksInOrder
        /// What was cleared counts again when the database is opened again.
        case clearsInMemory
    }

    let habit: Habit
    private let records = Mutex<[Store.AttemptKey: Store.AttemptRecord]>([:])
    private let cleared = Mutex<[Store.AttemptKey: Store.AttemptRecord]>([:])

    init(_ habit: Habit) { self.habit = habit }

    var subject: AttemptStoreSubject { AttemptStoreSubject(open: { Handle(self) }, reopen: { self.reopen() }) }

    private func reopen() -> any AttemptStore {
        records.withLock { records in
            switch habit {
            case .losesCounts: records = [:]
            case .losesFlights:
                for key in records.keys { while records[key]?.inFlight ?? 0 > 0 { records[key]?.refund() } }
            case .clearsInMemory: records.merge(cleared.withLock(\.self)) { $1 }
            case .none, .countsApart, .readsOnce, .takesTurnsOnlyByItself, .locksInOrder: break
            }
        }
        return Handle(self)
    }

    fileprivate func read(_ key: Store.AttemptKey) -> Store.AttemptRecord {
        records.withLock { $0[key] ?? Store.AttemptRecord() }
    }

    fileprivate func write(_ written: [Store.AttemptKey: Store.AttemptRecord]) {
        records.withLock { $0.merge(written) { $1 } }
    }

    fileprivate func keep(_ keys: [Store.AttemptKey]) {
        for key in keys { cleared.withLock { $0[key] = read(key) } }
    }

    fileprivate let turns = Turns()
    private let arrived = Atomic(0)
    private let locks = Mutex(LockTable<Store.AttemptKey, Int>())
    private let calls = Atomic(0)

    /// Runs the body with locks on these keys, if that is the habit.
    fileprivate func locking<Answer>(
        _ keys: [Store.AttemptKey],
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        if habit != .locksInOrder { return try await body() }
        let call = calls.add(1, ordering: .relaxed).newValue
        defer { locks.withLock { $0.release(call) } }
        for key in keys {
            while try !locks.withLock({ try $0.lock(key, for: call) }) { await Task.yield() }
            await Flaw.pause()
        }
        return try await body()
    }

    /// Lets the other handle read what this one has read, if it wants to; on a busy machine that takes many turns.
    fileprivate func waitForAnother() async {
        let own = arrived.add(1, ordering: .relaxed).newValue
        var patience = 5000
        while arrived.load(ordering: .relaxed) == own, patience > 0 {
            patience -= 1
            await Task.yield()
        }
    }
}

/// One connection to the database.
private final class Handle: AttemptStore {
    private let database: AttemptDatabase
    private let own = Mutex<[Store.AttemptKey: Store.AttemptRecord]>([:])
    private let turns: Turns

    init(_ database: AttemptDatabase) {
        self.database = database
        turns = database.habit == .takesTurnsOnlyByItself ? Turns() : database.turns
    }

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        try await change(takes.map(\.key)) { records in
            let answer = Store.TakeAnswer(takes.map { records[$0.key, default: .init()].answer($0.allowance, at: now) })
            guard answer == .taken else { return answer }
            for take in takes { records[take.key, default: .init()].take(take, at: now) }
            return answer
        }
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        try await change(takes.map(\.key)) { records in
            for take in takes {
                records[take.key, default: .init()].keep(take.allowance, takenAt: take.takenAt, at: now)
            }
        }
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        database.keep(keys)
        try await change(takes.map(\.key) + keys) { records in
            for take in takes { records[take.key, default: .init()].refund(takenAt: take.takenAt) }
            for key in keys { records[key, default: .init()].clear() }
        }
    }

    private func change<Answer: Sendable>(
        _ keys: [Store.AttemptKey],
        _ body: @escaping @Sendable (inout [Store.AttemptKey: Store.AttemptRecord]) -> Answer
    ) async throws -> Answer {
        try await database.locking(keys) { await change(Set(keys), body) }
    }

    private func change<Answer: Sendable>(
        _ keys: Set<Store.AttemptKey>,
        _ body: @escaping @Sendable (inout [Store.AttemptKey: Store.AttemptRecord]) -> Answer
    ) async -> Answer {
        await turns.take {
            var records = Dictionary(uniqueKeysWithValues: keys.map { ($0, self.read($0)) })
            if self.database.habit == .takesTurnsOnlyByItself { await self.database.waitForAnother() }
            let answer = body(&records)
            self.own.withLock { $0.merge(records) { $1 } }
            if self.database.habit != .countsApart { self.database.write(records) }
            return answer
        }
    }

    private func read(_ key: Store.AttemptKey) -> Store.AttemptRecord {
        switch database.habit {
        case .countsApart: own.withLock { $0[key] ?? Store.AttemptRecord() }
        case .readsOnce: own.withLock { $0[key] } ?? database.read(key)
        default: database.read(key)
        }
    }
}

/// Runs one body after the other.
private actor Turns {
    private var last: Task<Void, Never>?

    func take<Answer: Sendable>(_ body: @escaping @Sendable () async -> Answer) async -> Answer {
        let before = last
        let task = Task {
            await before?.value
            return await body()
        }
        last = Task { _ = await task.value }
        return await task.value
    }
}
