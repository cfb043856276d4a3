#if PostgreSQL
internal import Dispatch
internal import Synchronization

/// The connections of a process: opened when they are needed, never more than the limit, the last one used first.
final class ConnectionPool: Sendable {
    private struct Waiter: Sendable {
        let id: UInt64
        let continuation: CheckedContinuation<Result<Connection, PostgresError>, Never>
    }

    private struct State {
        var idle: [Connection] = []
        /// How many connections there are, idle and in use.
        var count = 0
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
    }

    private let settings: Settings
    private let state = Mutex(State())

    init(_ settings: Settings) { self.settings = settings }

    /// Lends a connection for as long as the body runs.
    func withConnection<Value>(
        _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let connection = try await take()
        defer { putBack(connection) }
        return try await body(connection)
    }

    private func take() async throws(PostgresError) -> Connection {
        if Task.isCancelled { throw .canceledBefore }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let connection = connection(orWaiting: Waiter(id: id, continuation: continuation)) {
                    continuation.resume(returning: .success(connection))
                } else {
                    // The handler below may have run before there was a waiter to remove.
                    if Task.isCancelled { withdraw(id, .canceledBefore) }
                    let timeout = DispatchTimeInterval.milliseconds(
                        Int(clamping: settings.options.poolTimeout.wholeMilliseconds)
                    )
                    DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak self] in
                        self?.withdraw(
                            id,
                            PostgresError(.tooManyConnections, "All connections of the pool were in use.")
                        )
                    }
                }
            }
        } onCancel: {
            withdraw(id, .canceledBefore)
        }
        return try answer.get()
    }

    /// An idle or new connection; nil if there is none, and then the waiter gets the next one.
    private func connection(orWaiting waiter: Waiter) -> Connection? {
        state.withLock { state in
            // A connection that the server closed meanwhile opens itself again.
            if let connection = state.idle.popLast() { return connection }
            if state.count < min(max(1, settings.options.connections), PostgresStore.Options.mostConnections) {
                state.count += 1
                return Connection(settings)
            }
            state.waiters.append(waiter)
            return nil
        }
    }

    private func putBack(_ connection: Connection) {
        let waiter: Waiter? = state.withLock { state in
            if !state.waiters.isEmpty { return state.waiters.removeFirst() }
            state.idle.append(connection)
            return nil
        }
        waiter?.continuation.resume(returning: .success(connection))
    }

    private func withdraw(_ id: UInt64, _ error: PostgresError) {
        let waiter: Waiter? = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: .failure(error))
    }
}

extension PostgresError {
    /// The task was canceled: nothing was sent, or the server stopped and undid the statement.
    static let canceledBefore = PostgresError(.canceled, "The task was canceled.")
}
#endif
