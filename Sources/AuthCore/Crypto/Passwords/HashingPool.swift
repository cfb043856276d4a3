import Dispatch
import Synchronization

/// Threads of our own for work that takes long, so that it neither stalls other tasks nor grows without bound.
final class HashingPool: Sendable {
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
    // Serial queues, since each then has a thread to itself. A concurrent queue would draw on the threads that Swift's
    // own tasks run on where both are served by Dispatch, and two passwords could stall a server of two processors.
    private let queues: [DispatchQueue]

    /// At most `workers` jobs run at once, and at most `places` wait; at least one job can always run.
    init(workers: Int, places: Int) {
        let workers = max(1, workers)
        self.places = max(0, places)
        state = Mutex(State(idle: Array(0..<workers)))
        queues = (0..<workers).map { DispatchQueue(label: "AuthCore.password-hashing.\($0)", qos: .userInitiated) }
    }

    /// Does the work on one of the pool's threads; a task that is cancelled gives up its place in the line.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The handler below may have run before there was anything to withdraw.
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                let job = Job(
                    id: id,
                    perform: { continuation.resume(with: Result { try work() }) },
                    giveUp: { continuation.resume(throwing: CancellationError()) }
                )
                if !accepts(job) { continuation.resume(throwing: PasswordHashingError.overloaded) }
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// How many jobs run and wait at this moment.
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

    /// A worker that is done takes the next job along; without one it is idle.
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
