internal import AuthCore
internal import AuthCorePostgres
internal import AuthCoreSQLite
internal import Foundation

/// The command that measures a durable store: `authlab bench --store sqlite:PATH [--accounts N] [--seconds S] [--only
/// NAME] [--tasks N]`.
struct StoreBenchCommand: Sendable {
    let store: StoreChoice
    /// The size of the largest population; each smaller power of ten, from a thousand on, is measured too.
    var accounts = 10_000
    /// How long each operation is measured with each number of tasks.
    var seconds = 1.0
    /// The one operation to measure; nil for all of them.
    var only: String?
    /// The one number of tasks to measure with; nil for all of them.
    var tasks: Int?
    /// Whether the report is JSON instead of a table.
    var isJSON = false
    /// Whether a commit waits for the disk.
    var isSynchronous = true

    /// Takes what the words after `bench` say of a durable store.
    init(store: StoreChoice, _ arguments: Arguments) throws(UsageError) {
        self.store = store
        if arguments.has(BenchCommand.scale) {
            throw UsageError("bench: --scale is for the store in memory", hint: "--store memory")
        }
        if arguments.has(BenchCommand.normal), case .postgres = store {
            throw UsageError("bench: --normal is for SQLite", hint: "--store sqlite:PATH")
        }
        accounts = try arguments.number(BenchCommand.accounts, 500...100_000_000) ?? accounts
        seconds = try arguments.number(BenchCommand.seconds, 0.001...3600) ?? seconds
        only = try arguments.name(BenchCommand.only, among: StoreBench.operationNames)
        tasks = try arguments.number(BenchCommand.tasks, 1...1024)
        isJSON = arguments.has(BenchCommand.json)
        isSynchronous = !arguments.has(BenchCommand.normal)
    }

    /// The sizes at which everything is measured, smallest first.
    var sizes: [Int] { Array(sequence(first: 1000) { $0 * 10 }.prefix { $0 < accounts }) + [accounts] }

    /// Measures and prints.
    func run(_ progress: ProgressLog, print: (String) -> Void) async throws {
        progress.begins("opening the store")
        let (name, subject) = try await open()
        let bench = StoreBench(subject, progress)
        var report = StoreBenchReport(store: name, seconds: seconds)
        do {
            for size in sizes {
                let counts = tasks.map { [$0] } ?? StoreBench.taskCounts
                report.sizes.append(
                    try await bench.measure(accounts: size, seconds: seconds, only: only, taskCounts: counts)
                )
            }
        } catch {
            progress.begins("removing what was written")
            try? await subject.empty()
            throw error
        }
        progress.begins("removing what was written")
        try await subject.empty()
        print(isJSON ? try report.json : report.table)
    }

    private func open() async throws -> (String, StoreBench.Subject) {
        switch store {
        case .memory: throw CommandFailure("the bench does not know this store")
        case .postgres(let url):
            #if PostgreSQL
            return ("PostgreSQL", try await postgres(url))
            #else
            _ = try await store.open()
            throw CommandFailure("the bench does not know this store")
            #endif
        case .sqlite(let path):
            #if SQLite
            // Refuses a database that has accounts.
            _ = try await store.open()
            return ("SQLite", try await sqlite(path))
            #else
            _ = try await store.open()
            throw CommandFailure("the bench does not know this store")
            #endif
        }
    }

    #if PostgreSQL
    private func postgres(_ url: String) async throws -> StoreBench.Subject {
        var options = PostgresStore.Options()
        options.connections = 16
        // A schema of its own: rows that others have removed would slow down the store, and not the copy.
        options.schema = "authcore_bench"
        // Copying a million accounts takes minutes, and a machine that writes so many may pause for seconds.
        options.statementTimeout = .seconds(3600)
        options.poolTimeout = .seconds(3600)
        // A bench that was stopped may have left it behind.
        try await PostgresStore(url, options: options).removeSchema()
        let store = try await PostgresStore(url, options: options)
        return StoreBench.Subject(store: store, attempts: store) {
            let floor = try await PostgresByHand(copyOf: store, url, lanes: 16)
            return { steps in
                var lots: [[PostgresByHand.Step]] = Array(repeating: [], count: 16)
                for step in steps { lots[step.task % 16].append(PostgresByHand.Step(step.kind)) }
                try floor.run(lots)
            }
        } size: {
            try await store.size()
        } empty: {
            try await store.removeSchema()
        }
    }
    #endif

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
            return { steps in
                for step in steps {
                    switch step.kind {
                    case .load(let lookups): try floor.load(lookups)
                    case .commit(let changes):
                        if try !floor.commit(changes).isWritten { throw BenchFailure(description: "the copy differs") }
                    case .settle(let messages): try floor.settle(messages)
                    }
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

#if PostgreSQL
extension PostgresByHand.Step {
    fileprivate init(_ kind: StoreStep.Kind) {
        switch kind {
        case .load(let lookups): self = .load(lookups)
        case .commit(let changes): self = .commit(changes)
        case .settle(let messages): self = .settle(messages)
        }
    }
}
#endif
