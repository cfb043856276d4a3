import AuthCore

/// An attempt store at which every call waits for its turn, before it is made and after.
struct ScheduledAttempts: AttemptStore {
    private let whole = InMemoryAttemptStore()
    let schedule: Schedule
    var isAtomic = true

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        await schedule.turn()
        if !isAtomic {
            let answer = try await whole.take(takes, at: now)
            if answer == .taken { try await whole.refund(takes, clearing: [], at: now) }
            await schedule.turn()
            if answer != .taken { return answer }
        }
        let answer = try await whole.take(takes, at: now)
        await schedule.turn()
        return isAtomic ? answer : .taken
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        await schedule.turn()
        try await whole.keep(takes, at: now)
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        await schedule.turn()
        try await whole.refund(takes, clearing: keys, at: now)
    }
}
