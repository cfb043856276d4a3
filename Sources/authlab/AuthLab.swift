internal import Foundation

/// The command line: `tour`, `replay`, `explain`, `matrix`, `bench`.
@main
struct AuthLab {
    static let usage = """
        usage: authlab tour [--store memory|sqlite:PATH|postgres:URL]
               authlab replay [--policy firebase|standard] [--face authcore|firebase] [--store STORE] FILE…
                              (- reads standard input)
               authlab explain [NAME…]    (of error codes and reasons)
               authlab matrix    (every choice of a policy under both presets)
               authlab bench [--accounts N] [--seconds S] [--only OPERATION] [--json] [--store STORE]
                              (build with -c release)
        """

    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        do throws(UsageError) {
            switch arguments.popFirst() {
            case "tour":
                var words = Array(arguments)
                let store = try await StoreChoice(takenFrom: &words).open()
                if let word = words.first { throw UsageError("tour takes no argument \(word)") }
                let tour = Tour(layout: NarrationLayout(isColoured: isatty(STDOUT_FILENO) == 1), store: store)
                exit(await tour.run { print($0) } ? 0 : 1)
            case "replay":
                let isClean = try await ReplayCommand(arguments: Array(arguments)).run { print($0) }
                exit(isClean ? 0 : 1)
            case "explain":
                try ExplainCommand(arguments: Array(arguments)).run { print($0) }
            case "matrix":
                if let word = arguments.first { throw UsageError("matrix takes no arguments, but got \(word)") }
                for line in Matrix().lines { print(line) }
            case "bench":
                try await bench(Array(arguments))
            case let word?: throw UsageError("there is no command \(word)")
            case nil: throw UsageError("authlab needs a command")
            }
        } catch {
            let help = error.needsUsage ? "\n\(usage)" : ""
            FileHandle.standardError.write(Data("\(error)\(help)\n".utf8))
            exit(error.needsUsage ? 2 : 1)
        }
    }

    private static func bench(_ arguments: [String]) async throws(UsageError) {
        var arguments = arguments
        let store = try StoreChoice(takenFrom: &arguments)
        do {
            if store == .memory {
                _ = try await BenchCommand(arguments: arguments).run { print($0) }
            } else {
                try await StoreBenchCommand(store: store, arguments: arguments).run { print($0) }
            }
        } catch let error as UsageError {
            throw error
        } catch {
            FileHandle.standardError.write(Data("the bench stopped: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// A command line that cannot be understood or carried out, and why.
struct UsageError: Error, Sendable, CustomStringConvertible {
    let description: String
    /// Whether the list of commands helps.
    let needsUsage: Bool

    init(_ description: String, needsUsage: Bool = true) {
        self.description = description
        self.needsUsage = needsUsage
    }
}
