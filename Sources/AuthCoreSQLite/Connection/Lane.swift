#if SQLite
internal import Dispatch
internal import Synchronization

/// A connection, and the queue on whose thread alone it works: SQLite blocks, and may not block a task's thread.
final class Lane: Sendable {
    private let queue: DispatchQueue
    private let connection: Mutex<SQLiteConnection>

    init(_ name: String, _ connection: sending SQLiteConnection) {
        queue = DispatchQueue(label: "AuthCoreSQLite.\(name)", qos: .userInitiated)
        self.connection = Mutex(connection)
    }

    /// Returns what the work opens, on another thread than those of tasks.
    static func opening<Opened: Sendable>(_ work: @escaping @Sendable () throws -> Opened) async throws -> Opened {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "AuthCoreSQLite.opening").async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Does the work after what was asked for before.
    func enqueue(_ work: @escaping @Sendable (SQLiteConnection) -> Void) {
        queue.async { [self] in connection.withLock { work($0) } }
    }

    /// Returns what the work returns.
    func run<Value: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { connection in continuation.resume(with: Result { try work(connection) }) }
        }
    }
}
#endif
