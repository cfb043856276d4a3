#if PostgreSQL
internal import Synchronization

/// Stops the statement that runs on a connection when it is no longer wanted.
final class Canceler: Sendable {
    private struct State {
        /// How the server is asked; nil if there is no connection.
        var requests: StopRequests?
        /// Whether a statement was sent, and has not ended.
        var isSent = false
        /// Whether the statement is no longer wanted.
        var isCanceled = false
        /// How often its answer was waited for since then.
        var pauses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// A connection was opened, or is about to be opened in place of one that was lost.
    func use(_ requests: StopRequests?) { state.withLock { $0.requests = requests } }

    /// A statement begins, which is not sent yet.
    func begin() {
        state.withLock { state in
            state.isSent = false
            state.isCanceled = false
            state.pauses = 0
        }
    }

    /// Whether the statement that has begun may be sent, since it is still wanted; from now on `cancel()` asks the
    /// server.
    func send() -> Bool {
        state.withLock { state in
            state.isSent = !state.isCanceled
            return state.isSent
        }
    }

    /// A statement has ended; waits for the end of a request that was for it.
    ///
    /// - Returns: Whether another statement may begin; if not, the request is still under way and would meet it.
    func end() -> Bool {
        let requests = state.withLock { state in
            state.isSent = false
            return state.requests
        }
        return requests?.wait() ?? true
    }

    /// The statement is no longer wanted: it is not sent, or the server is asked to stop it; waits for nothing.
    func cancel() {
        state.withLock { $0.isCanceled = true }
        ask()
    }

    /// Asks again after a pause if the statement is no longer wanted: the first request may have come to the server
    /// before it.
    ///
    /// Each request is a connection of its own, so it is asked after one pause, two, four and so on.
    func askAgain() {
        let isTime = state.withLock { state in
            guard state.isCanceled else { return false }
            state.pauses += 1
            return state.pauses.nonzeroBitCount == 1
        }
        if isTime { ask() }
    }

    // Within the lock, so that the statement does not end before its request has begun.
    private func ask() { state.withLock { if $0.isSent { $0.requests?.send() } } }
}
#endif
