internal import Foundation

/// The command that measures: `authlab bench [--accounts N] [--seconds S] [--only OPERATION] [--json]`.
struct BenchCommand: Sendable {
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

    /// Reads the words after `bench`.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--accounts":
                guard let count = rest.popFirst().flatMap({ Int($0) }), (10...100_000_000).contains(count) else {
                    throw UsageError("--accounts takes a number from 10 to 100000000")
                }
                accounts = count
            case "--seconds":
                guard let time = rest.popFirst().flatMap({ Double($0) }), (0.001...3600).contains(time) else {
                    throw UsageError("--seconds takes a number from 0.001 to 3600")
                }
                seconds = time
            case "--only":
                guard let name = rest.popFirst(), Bench.operationNames.contains(name) else {
                    throw UsageError("--only takes one of: \(Bench.operationNames.joined(separator: ", "))")
                }
                only = name
            case "--json": isJSON = true
            default: throw UsageError("bench has no option \(word)")
            }
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
