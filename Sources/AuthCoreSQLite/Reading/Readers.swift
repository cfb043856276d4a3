#if SQLite
internal import Synchronization

/// A few connections that read beside the writer, each from one moment of the database.
final class Readers: Sendable {
    let lanes: [Lane]
    /// How many reads wait in each lane, with the one that is under way.
    private let waiting: Mutex<[Int]>

    init(_ lanes: [Lane]) {
        self.lanes = lanes
        waiting = Mutex(Array(repeating: 0, count: lanes.count))
    }

    /// Returns what the work reads, all of it at one moment.
    func read<Value: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let lane = waiting.withLock { waiting in
            let lane = waiting.indices.min { waiting[$0] < waiting[$1] } ?? 0
            waiting[lane] += 1
            return lane
        }
        defer { waiting.withLock { $0[lane] -= 1 } }
        return try await lanes[lane].run { try $0.atOneMoment(work) }
    }
}

extension SQLiteConnection {
    /// Reads in one transaction.
    fileprivate func atOneMoment<Value>(_ work: (SQLiteConnection) throws -> Value) throws -> Value {
        try run("BEGIN")
        defer { if isInTransaction { try? run("COMMIT") } }
        return try work(self)
    }
}
#endif
