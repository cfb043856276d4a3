internal import AuthCore
internal import AuthCoreSQLite
internal import Foundation

/// `authlab bench --store sqlite:PATH`.
extension BenchCommand {
    /// Measures and prints; progress goes to standard error.
    func runOnStore(_ print: (String) -> Void) async throws {
        let (name, subject) = try await open()
        let began = ContinuousClock.now
        let bench = StoreBench(subject) { line in
            // Who waits for longer than a moment learns what for.
            if ContinuousClock.now - began > .seconds(2) {
                FileHandle.standardError.write(Data("\(line)\n".utf8))
            }
        }
        var report = StoreBenchReport(store: name, seconds: seconds)
        let sizes = Array(sequence(first: 1000) { $0 * 10 }.prefix { $0 < accounts }) + [accounts]
        for size in sizes {
            report.sizes.append(try await bench.measure(accounts: size, seconds: seconds, only: only))
        }
        try await subject.empty()
        print(isJSON ? try report.json : report.table)
    }

    private func open() async throws -> (String, StoreBench.Subject) {
        switch store {
        case .memory: throw UsageError("the bench of the store in memory takes no --store")
        case .postgres: throw UsageError("the bench does not know this store")
        case .sqlite(let path):
            #if SQLite
            // Refuses a database that has accounts.
            _ = try await store.open()
            return ("SQLite", try await sqlite(path))
            #else
            _ = try await store.open()
            throw UsageError("the bench does not know this store")
            #endif
        }
    }

    #if SQLite
    private func sqlite(_ path: String) async throws -> StoreBench.Subject {
        var options = SQLiteStore.Options()
        options.synchronous = isSynchronous ? .full : .normal
        let (copy, chosen) = (path + ".by-hand", options)
        let store = try await SQLiteStore(path: path, options: options)
        return StoreBench.Subject(store: store, attempts: store) {
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + end) }
            try await store.backup(to: copy)
            let floor = try SQLiteByHand(path: copy, options: chosen)
            return { step in
                switch step {
                case .load(let lookups): try floor.load(lookups)
                case .commit(let changes):
                    if try !floor.commit(changes).isWritten { throw BenchFailure(description: "the copy differs") }
                case .settle(let messages): try floor.settle(messages)
                }
            }
        } size: {
            try SQLiteByHand(path: copy).size()
        } empty: {
            try await store.removeEverything()
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + end) }
        }
    }
    #endif
}
