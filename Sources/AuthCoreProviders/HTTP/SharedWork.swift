internal import Synchronization

/// One piece of work whose result all who wait for it get; it is canceled when the last of them is, unless it is kept.
final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var waiting: [UInt64: CheckedContinuation<Value, any Error>] = [:]
        var nextWaiter: UInt64 = 0
        var run: UInt64 = 0
        var task: Task<Void, Never>?
        /// Whether the work goes on although no one waits for it.
        var isKept = false
    }

    private let state = Mutex(State())

    /// Whether there is work that one can still wait for.
    var isUnderWay: Bool { state.withLock { $0.task != nil } }

    /// How many wait for the work, for tests.
    var waiters: Int { state.withLock { $0.waiting.count } }

    /// Waits for the work that is under way, or begins it; what is kept goes on when the last who waits is canceled.
    func result(
        isKept: Bool = false,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(waiter, continuation, isKept: isKept, work)
                // A cancellation before this line found nothing to end.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    private func join(
        _ waiter: UInt64,
        _ continuation: CheckedContinuation<Value, any Error>,
        isKept: Bool,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        state.withLock { state in
            state.waiting[waiter] = continuation
            state.isKept = isKept || state.task != nil && state.isKept
            guard state.task == nil else { return }
            state.run += 1
            let run = state.run
            state.task = Task {
                let result: Result<Value, any Error>
                do { result = .success(try await work()) } catch { result = .failure(error) }
                self.finish(run, result)
            }
        }
    }

    private func finish(_ run: UInt64, _ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [UInt64: CheckedContinuation<Value, any Error>] in
            // Work that all have left has no one to tell.
            guard state.run == run, state.task != nil else { return [:] }
            state.task = nil
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(with: result) }
    }

    private func leave(_ waiter: UInt64) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: waiter)
            guard continuation != nil, state.waiting.isEmpty, !state.isKept else {
                return (continuation, Task<Void, Never>?.none)
            }
            defer { state.task = nil }
            return (continuation, state.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
