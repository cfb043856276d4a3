/// The command that measures: `authlab bench`.
struct BenchCommand: Sendable {
    static let accounts = Option(
        name: "--accounts",
        value: "N",
        help: "the largest population, by default 100000, of a durable store 10000"
    )
    static let seconds = Option(
        name: "--seconds",
        value: "S",
        help: "how long each operation is measured, by default 1"
    )
    static let only = Option(name: "--only", value: "OPERATION", help: "measure one operation, for a profiler to watch")
    static let scale = Option(
        name: "--scale",
        help: "memory: measure what single calls wait for, and a year of traffic, for as long as that takes"
    )
    static let json = Option(name: "--json", help: "print JSON instead of a table")
    static let tasks = Option(name: "--tasks", value: "N", help: "durable stores: measure with N tasks at once only")
    static let normal = Option(name: "--normal", help: "SQLite: a commit does not wait for the disk")
    static let synopsis = Synopsis(
        name: "bench",
        summary: "Measures each operation beside a floor of bare dictionaries; build with -c release.",
        options: [accounts, seconds, only, scale, json, StoreChoice.option, tasks, normal]
    )

    /// The size of the largest population.
    ///
    /// Each smaller power of ten, from ten thousand on, is measured too.
    var accounts = 100_000
    /// How long each operation is measured at each size.
    var seconds = 1.0
    /// The one operation to measure, for a profiler to watch; nil for all of them.
    var only: String?
    /// Whether single calls are measured, instead of each operation beside its floor.
    var isScale = false
    /// Whether the report is JSON instead of a table.
    var isJSON = false

    /// Reads the words after `bench`.
    init(arguments: [String]) throws(UsageError) { try self.init(Self.synopsis.read(arguments)) }

    /// Takes what the words after `bench` say, but for those of a durable store, which is measured by
    /// `StoreBenchCommand`.
    init(_ arguments: Arguments) throws(UsageError) {
        accounts = try arguments.number(Self.accounts, 10...100_000_000) ?? accounts
        seconds = try arguments.number(Self.seconds, 0.001...3600) ?? seconds
        only = try arguments.name(Self.only, among: Bench.operationNames)
        isScale = arguments.has(Self.scale)
        if isScale, only != nil {
            throw UsageError("bench: --scale takes no \(Self.only.name)", hint: "authlab bench --scale")
        }
        isJSON = arguments.has(Self.json)
    }

    /// Measures the store that the words after `bench` choose.
    static func run(arguments words: [String], _ progress: ProgressLog, print: (String) -> Void) async throws {
        let arguments = try synopsis.read(words)
        let store = try StoreChoice(arguments)
        if store == .memory {
            if arguments.has(normal) { throw UsageError("bench: --normal is for SQLite", hint: "--store sqlite:PATH") }
            if arguments[tasks] != nil {
                throw UsageError("bench: --tasks is for durable stores", hint: "--store sqlite:PATH")
            }
            _ = try await BenchCommand(arguments).run(progress, print: print)
        } else {
            try await StoreBenchCommand(store: store, arguments).run(progress, print: print)
        }
    }

    /// The sizes at which everything is measured, smallest first.
    var sizes: [Int] {
        var sizes = Array(sequence(first: 10_000) { $0 * 10 }.prefix { $0 < accounts })
        sizes.append(accounts)
        return sizes
    }

    /// Measures and prints.
    ///
    /// An unexpected refusal ends the measurement.
    func run(_ progress: ProgressLog = .silent, print: (String) -> Void) async throws -> BenchReport {
        let bench = try await Bench(progress)
        var report = BenchReport(seconds: seconds)
        if isScale {
            report.scale = [
                try await bench.measureScale(accounts: accounts),
                try await Bench(progress).measureYear(accounts: accounts),
            ]
        } else {
            for size in sizes {
                report.sizes.append(try await bench.measure(accounts: size, seconds: seconds, only: only))
            }
        }
        print(isJSON ? try report.json : report.table)
        return report
    }
}
