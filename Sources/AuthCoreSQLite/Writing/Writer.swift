#if SQLite
internal import CSQLite
internal import Synchronization

/// The one connection that writes; changes that wait for it share its next transaction.
///
/// What the disk has to write for a transaction takes longer than all of its statements. So a change joins those that
/// have gathered while the one before was written, and a savepoint undoes it alone if it fails. Answers go out after
/// the commit, violations included, since they too tell what this transaction saw. If SQLite undid everything because
/// of one change, each is tried again by itself; if the disk failed at the commit, nobody knows what it has.
final class Writer: Sendable {
    struct Job: Sendable {
        let needsDisk: Bool
        /// Does the work, and returns how its answer is given once it is committed.
        let work: @Sendable (SQLiteConnection) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    struct Queue {
        var jobs: [Job] = []
        var isWorking = false
    }

    private static let batchLimit = 64

    private let lane: Lane
    let queue = Mutex(Queue())
    /// Whether a commit returns only when the disk has it.
    private let isSynchronous: Bool

    init(_ lane: Lane, isSynchronous: Bool) {
        self.lane = lane
        self.isSynchronous = isSynchronous
    }

    /// Does the work in a transaction, and returns its answer when it is committed.
    ///
    /// The work may be done a second time, after everything that it wrote was undone. It needs no disk if a failure of
    /// power may undo it, though not the end of the process.
    func write<Answer: Sendable>(
        needsDisk: Bool = true,
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Answer
    ) async throws -> Answer {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Job(needsDisk: needsDisk) { connection in
                    let answer = try work(connection)
                    return { continuation.resume(returning: answer) }
                } fail: {
                    continuation.resume(throwing: $0)
                }
            )
        }
    }

    /// Does the work on the connection that writes, outside of any transaction.
    func run<Value: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await lane.run(work)
    }

    private func enqueue(_ job: Job) {
        let begins = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.isWorking = true }
            return !queue.isWorking
        }
        if begins { lane.enqueue { self.work($0) } }
    }

    /// Performs jobs until none waits.
    ///
    /// The first job after that wakes the thread. That takes a moment in which others gather, so that they share a
    /// flush; measured, a call of this for each job made commits of many tasks a quarter slower.
    private func work(_ connection: SQLiteConnection) {
        while true {
            let batch = queue.withLock { queue in
                let batch = Array(queue.jobs.prefix(Self.batchLimit))
                queue.jobs.removeFirst(batch.count)
                if batch.isEmpty { queue.isWorking = false }
                return batch
            }
            if batch.isEmpty { return }
            for job in perform(batch, connection) { _ = perform([job], connection) }
        }
    }

    /// Performs the jobs in one transaction; returns those that must be tried again alone.
    private func perform(_ batch: [Job], _ connection: SQLiteConnection) -> [Job] {
        do {
            let needsDisk = isSynchronous && batch.contains(where: \.needsDisk)
            try connection.setSynchronous(needsDisk)
            try connection.run("BEGIN IMMEDIATE")
        } catch {
            // Those that wait would wait as long for the same failure.
            let waiting = queue.withLock { queue in
                defer { queue.jobs = [] }
                return queue.jobs
            }
            for job in batch + waiting { job.fail(NothingWritten(cause: error)) }
            return []
        }
        var done: [(job: Job, answer: @Sendable () -> Void)] = []
        for (index, job) in batch.enumerated() {
            do {
                if batch.count > 1 { try connection.run("SAVEPOINT change") }
                let answer = try job.work(connection)
                // Each savepoint that is open makes every page that is written cost more.
                if batch.count > 1 { try connection.run("RELEASE change") }
                done.append((job, answer))
            } catch {
                let isUndone = batch.count > 1 && connection.isInTransaction && connection.undoesChange()
                job.fail(NothingWritten(cause: error))
                if isUndone { continue }
                connection.rollBack()
                return done.map(\.job) + batch[(index + 1)...]
            }
        }
        do {
            try connection.run("COMMIT")
        } catch {
            // Where the transaction is still open, nothing of it was written; on a full disk, not all of it. Otherwise
            // the disk may have it, and a flush that succeeds later does not tell that this one's pages are there.
            let isUndone = connection.isInTransaction || error.primaryCode == SQLITE_FULL
            connection.rollBack()
            if isUndone, done.count > 1 { return done.map(\.job) }
            for (job, _) in done { job.fail(isUndone ? NothingWritten(cause: error) : OutcomeUnknown(cause: error)) }
            return []
        }
        for (_, answer) in done { answer() }
        return []
    }
}

/// A failure after which the database is as it was before.
struct NothingWritten: Error {
    let cause: any Error
}

/// A failure of the disk at a commit: the change is there or not when the file is opened again.
struct OutcomeUnknown: Error {
    let cause: any Error
}

extension SQLiteConnection {
    /// Undoes what was written since the last savepoint; false if that fails.
    fileprivate func undoesChange() -> Bool { (try? run("ROLLBACK TO change")) != nil }

    fileprivate func rollBack() {
        if isInTransaction { try? run("ROLLBACK") }
    }
}
#endif
