#if PostgreSQL
internal import CPostgreSQL
internal import Dispatch
internal import Synchronization

/// Asks the server to stop what runs on one connection, each time over a connection of its own.
final class StopRequests: Sendable {
    /// The address of libpq's handle, which any thread may use; a number, since pointers may not go from thread to
    /// thread.
    private let address: Int
    private let isUnderWay = Mutex(false)
    private let group = DispatchGroup()
    /// Its threads are not those of Swift's tasks, which the global queues share: a request can block for very long.
    private let queue = DispatchQueue(label: "AuthCore.postgres.stopping")

    init(_ handle: OpaquePointer?) { address = Int(bitPattern: handle) }

    deinit { unsafe PQfreeCancel(.init(bitPattern: address)) }

    /// Sends a request, unless one is under way; waits for nothing.
    func send() {
        let isFirst = isUnderWay.withLock { isUnderWay in
            defer { isUnderWay = true }
            return !isUnderWay
        }
        if !isFirst { return }
        group.enter()
        queue.async { [self] in
            // Blocks until the server has taken the request, which may be never.
            var message = [CChar](repeating: 0, count: 256)
            _ = unsafe PQcancel(OpaquePointer(bitPattern: address), &message, Int32(message.count))
            isUnderWay.withLock { $0 = false }
            group.leave()
        }
    }

    /// Waits for the end of a request that is under way; returns whether there is none any more.
    func wait() -> Bool { group.wait(timeout: .now() + 2) == .success }
}
#endif
