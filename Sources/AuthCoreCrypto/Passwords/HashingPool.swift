import Dispatch
import Synchronization

/// Dedicated threads for long computations, which neither delay other tasks nor grow in number without limit.
final class HashingPool: Sendable {
    /// Too much work is waiting already.
    struct Overloaded: Error {}

    private struct Job: Sendable {
        let id: UInt64
        let perform: @Sendable () -> Void
        let giveUp: @Sendable () -> Void
    }

    private struct State {
        var idle: [Int]
        var lastID: UInt64 = 0
        var waiting: [Job] = []
    }

    private let places: Int
    private let state: Mutex<State>
    // Serial queues, since each then has a thread of its own. A concurrent queue would use the threads that Swift's
    // tasks run on if both are served by Dispatch, and two passwords could block a server with two processors.
    private let queues: [DispatchQueue]

    /// Runs at most `workers` jobs at once, with at most `places` waiting; at least one job can always run.
    init(workers: Int, places: Int) {
        let workers = max(1, workers)
        self.places = max(0, places)
        state = Mutex(State(idle: Array(0..<workers)))
        queues = (0..<workers).map { DispatchQueue(label: "AuthCore.password-hashing.\($0)", qos: .userInitiated) }
    }

    /// Runs the work on one of the pool's threads; a canceled task leaves the queue.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The handler below may have run before there was a job to remove.
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                let job = Job(
                    id: id,
                    perform: { continuation.resume(with: Result { try work() }) },
                    giveUp: { continuation.resume(throwing: CancellationError()) }
                )
                if !accepts(job) { continuation.resume(throwing: Overloaded()) }
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// The numbers of running and waiting jobs.
    var load: (running: Int, waiting: Int) {
        state.withLock { (queues.count - $0.idle.count, $0.waiting.count) }
    }

    private func accepts(_ job: Job) -> Bool {
        enum Answer {
            case start(worker: Int)
            case wait
            case refuse
        }
        let answer: Answer = state.withLock { state in
            if let worker = state.idle.popLast() { return .start(worker: worker) }
            guard state.waiting.count < places else { return .refuse }
            state.waiting.append(job)
            return .wait
        }
        switch answer {
        case .start(let worker):
            queues[worker].async {
                job.perform()
                while let next = self.next(for: worker) { next.perform() }
            }
            return true
        case .wait: return true
        case .refuse: return false
        }
    }

    /// A worker that has finished takes the next job; if there is none, it becomes idle.
    private func next(for worker: Int) -> Job? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.idle.append(worker)
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func withdraw(_ id: UInt64) {
        let job: Job? = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        job?.giveUp()
    }
}
