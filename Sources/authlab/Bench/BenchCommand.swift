/// The command that measures: `authlab bench`.
struct BenchCommand: Sendable {
    static let accounts = Option(
        name: "--accounts",
        value: "N",
        help: "the largest population, by default 100000, or 10000 with a store"
    )
    static let seconds = Option(
        name: "--seconds",
        value: "S",
        help: "how long each operation is measured, by default 1"
    )
    static let only = Option(name: "--only", value: "OPERATION", help: "measure one operation, for a profiler to watch")
    static let json = Option(name: "--json", help: "print JSON instead of a table")
    static let normal = Option(name: "--normal", help: "with SQLite: commits do not wait for the disk")
    static let synopsis = Synopsis(
        name: "bench",
        summary: "Measures each operation beside a floor of bare dictionaries; build with -c release.",
        options: [accounts, seconds, only, json, StoreChoice.option, normal],
        notes: ["With a store, the floor is the statements of the store, sent by hand on one connection."]
    )

    /// The size of the largest population.
    ///
    /// Each smaller power of ten, from ten thousand on, is measured too.
    var accounts = 100_000
    /// How long each operation is measured at each size.
    var seconds = 1.0
    /// The one operation to measure, for a profiler to watch; nil for all of them.
    var only: String?
    /// Whether the report is JSON instead of a table.
    var isJSON = false
    /// The store to measure; the one in memory by default.
    let store: StoreChoice
    /// Whether commits of a durable store wait for the disk.
    let isSynchronous: Bool

    /// Reads the words after `bench`.
    init(arguments: [String]) throws(UsageError) {
        let arguments = try Self.synopsis.read(arguments)
        store = try StoreChoice(arguments)
        isSynchronous = !arguments.has(Self.normal)
        if store != .memory { accounts = 10_000 }
        accounts = try arguments.number(Self.accounts, 10...100_000_000) ?? accounts
        seconds = try arguments.number(Self.seconds, 0.001...3600) ?? seconds
        let operations = store == .memory ? Bench.operationNames : StoreBench.operationNames
        if let name = arguments[Self.only] {
            guard operations.contains(name) else {
                throw UsageError(
                    "bench: there is no operation \(name)",
                    hint: NearMiss.hint(name, among: operations) ?? operations.joined(separator: ", ")
                )
            }
            only = name
        }
        isJSON = arguments.has(Self.json)
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
    func run(print: (String) -> Void) async throws -> BenchReport {
        let bench = try await Bench()
        var report = BenchReport(seconds: seconds)
        for size in sizes {
            report.sizes.append(try await bench.measure(accounts: size, seconds: seconds, only: only))
        }
        print(isJSON ? try report.json : report.table)
        return report
    }
}
