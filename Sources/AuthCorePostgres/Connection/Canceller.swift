#if PostgreSQL
internal import CPostgreSQL
internal import Dispatch
internal import Synchronization

/// Asks the server to stop the statement that runs on a connection, over a connection of its own.
final class Canceller: Sendable {
    private enum Activity {
        case idle
        case running
        /// A request to stop was sent, or is about to be.
        case canceling
    }

    /// The address of libpq's handle, which any thread may use; a number, since pointers may not go from thread to thread.
    private let address: Int
    private let activity = Mutex(Activity.idle)
    private let requests = DispatchGroup()
    /// Its threads are not those of Swift's tasks, which the global queues share: a request can block for very long.
    private let queue = DispatchQueue(label: "AuthCore.postgres.canceling")

    init(_ handle: OpaquePointer?) { address = Int(bitPattern: handle) }

    deinit { unsafe PQfreeCancel(.init(bitPattern: address)) }

    /// A statement begins.
    func begin() { activity.withLock { $0 = .running } }

    /// A statement has ended; waits for the end of a request that was for it.
    ///
    /// - Returns: Whether another statement may begin; if not, the request is still under way and would meet it.
    func end() -> Bool {
        let isCanceling = activity.withLock { activity in
            defer { activity = .idle }
            return activity == .canceling
        }
        return !isCanceling || requests.wait(timeout: .now() + 2) == .success
    }

    /// Asks the server to stop the statement that runs, if one does; waits for nothing.
    func cancel() {
        let isRunning = activity.withLock { activity in
            guard activity == .running else { return false }
            activity = .canceling
            // Within the lock, so that the statement does not end between the two.
            requests.enter()
            return true
        }
        if !isRunning { return }
        queue.async { [self] in
            defer { requests.leave() }
            // Blocks until the server has taken the request, which may be never.
            var message = [CChar](repeating: 0, count: 256)
            _ = unsafe PQcancel(OpaquePointer(bitPattern: address), &message, Int32(message.count))
        }
    }
}
#endif
