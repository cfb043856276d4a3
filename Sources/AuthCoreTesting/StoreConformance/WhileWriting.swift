import AuthCore
import Synchronization

extension StoreClause {
    /// Commits these changes one after the other, each while another read is under way.
    static func whileWriting(
        _ changes: [ChangeSet],
        to store: any IdentityStore,
        _ isRight: (Turns) async throws -> Bool
    ) async throws {
        try await whileWriting { turns in
            for change in changes where !turns.areOver {
                _ = try await store.commit(change)
                await turns.wait()
            }
        } _: {
            try await isRight($0)
        }
    }

    /// Reads until the writer is done, and once more after that; tells the writer to stop once a read shows a
    /// violation.
    ///
    /// The reader says when the read begins that the writer is to interrupt.
    static func whileWriting(
        _ write: @Sendable @escaping (Turns) async throws -> Void,
        _ isRight: (Turns) async throws -> Bool
    ) async throws {
        let isDone = Mutex(false)
        let turns = Turns()
        async let writing: Void = {
            defer { isDone.withLock { $0 = true } }
            try await write(turns)
        }()
        while !isDone.withLock({ $0 }) {
            if try await !isRight(turns) { turns.stop() }
            await Task.yield()
        }
        try await writing
        _ = try await isRight(turns)
    }
}

/// Lets a writer write while a reader reads, even on a machine that has time for only one of them.
final class Turns: Sendable {
    private let reads = Mutex(0)
    private let stopped = Mutex(false)

    /// Whether nothing more need be written.
    var areOver: Bool { stopped.withLock { $0 } }

    /// A read begins.
    func begin() { reads.withLock { $0 += 1 } }

    /// A read has shown a violation.
    func stop() { stopped.withLock { $0 = true } }

    /// Waits until another read has begun, and longer each time, so that every part of a read is interrupted, also of a
    /// slow one.
    func wait() async {
        let seen = reads.withLock { $0 }
        for _ in 0..<1000 where reads.withLock({ $0 }) == seen { await Task.yield() }
        let length = seen % 8
        for _ in 0..<length * length { await Task.yield() }
    }
}
