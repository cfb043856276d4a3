#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL
internal import Synchronization

/// The attempts of a process that wait to be counted: those that come while others are written are written together.
///
/// One by one they would disturb each other where they count under one key, such as that of an origin.
final class AttemptLine: Sendable {
    struct Job: Sendable {
        let keys: [Store.AttemptKey]
        /// Counts, and returns what tells the caller the answer; a connection may have been lost when it was done
        /// already.
        let count: @Sendable (inout AttemptTable, _ mayBeDone: Bool) -> @Sendable () -> Void
        let fail: @Sendable (PostgresError) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isWorking = false
    }

    /// Each job has a few buckets, and all of them are locked while they are written.
    private static let batchLimit = 32

    private let state = Mutex(State())

    /// Adds a job; returns whether the caller has to begin the work.
    func add(_ job: Job) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isWorking = true }
            return !state.isWorking
        }
    }

    /// Takes the next jobs out of the line; if there are none, the work is over.
    func next() -> [Job] {
        state.withLock { state in
            let batch = Array(state.jobs.prefix(Self.batchLimit))
            state.jobs.removeFirst(batch.count)
            if batch.isEmpty { state.isWorking = false }
            return batch
        }
    }

    /// Takes all jobs out of the line.
    func removeAll() -> [Job] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
#endif
