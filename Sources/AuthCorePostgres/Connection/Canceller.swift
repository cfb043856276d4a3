#if PostgreSQL
internal import CPostgreSQL

/// Asks the server to stop what a connection is doing, over a connection of its own.
struct Canceller: ~Copyable {
    /// The address of libpq's handle, which any thread may use; a number, since pointers may not go from thread to thread.
    private let address: Int

    init(_ handle: OpaquePointer?) { address = Int(bitPattern: handle) }

    deinit { unsafe PQfreeCancel(.init(bitPattern: address)) }

    /// Blocks until the server has taken the request, or could not be reached.
    borrowing func cancel() {
        var message = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(OpaquePointer(bitPattern: address), &message, Int32(message.count))
    }
}
#endif
