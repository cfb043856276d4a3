internal import Foundation

/// The command line.
@main
struct AuthLab {
    static let version = "0.1.0"

    static let commands = [
        TourCommand.synopsis, ExplainCommand.synopsis, MatrixCommand.synopsis, ReplayCommand.synopsis,
        BenchCommand.synopsis,
        PicturesCommand.synopsis,
    ]

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            let isClean = try await run(words, Terminal.current, .standardError()) { print($0) }
            exit(isClean ? 0 : 1)
        } catch let error as UsageError {
            let command = commands.first { $0.name == words.first }
            let hint = error.hint ?? (command.map { "authlab \($0.name) --help" } ?? "authlab --help")
            FileHandle.standardError.write(Data("authlab: \(error.text)\nhint: \(hint)\n".utf8))
            exit(2)
        } catch {
            FileHandle.standardError.write(Data("authlab: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Performs a command; false if what it checks does not hold.
    static func run(
        _ words: [String],
        _ terminal: Terminal,
        _ progress: ProgressLog = .silent,
        print: (String) -> Void
    ) async throws -> Bool {
        guard let command = words.first else {
            throw UsageError("a command is needed", hint: commands.map(\.name).joined(separator: ", "))
        }
        let rest = Array(words.dropFirst())
        switch command {
        case "--version":
            if !rest.isEmpty { throw UsageError("--version stands alone", hint: "authlab --version") }
            print(version)
            return true
        case "--help", "-h", "help":
            if rest.count > 1 { throw UsageError("help is on one command", hint: "authlab help \(rest[0])") }
            print(try help(on: rest.first, terminal))
            return true
        case let name where rest.prefix(while: { $0 != "--" }).contains { $0 == "--help" || $0 == "-h" }:
            print(try help(on: name, terminal))
            return true
        case "tour": return try await TourCommand(arguments: rest, terminal).run(progress, print: print)
        case "replay": return try await ReplayCommand(arguments: rest).run(progress, print: print)
        case "explain": try await ExplainCommand(arguments: rest).run(terminal, print: print)
        case "matrix": try await MatrixCommand(arguments: rest).run(terminal, print: print)
        case "pictures": try await PicturesCommand(arguments: rest).run(print: print)
        case "bench": try await BenchCommand.run(arguments: rest, progress, print: print)
        default: throw unknown(command)
        }
        return true
    }

    private static func unknown(_ word: String) -> UsageError {
        let kind = word.hasPrefix("-") ? "option" : "command"
        let names = commands.map(\.name) + ["--help", "--version"]
        return UsageError("there is no \(kind) \(word)", hint: NearMiss.hint(word, among: names) ?? "authlab --help")
    }

    private static func help(on name: String?, _ terminal: Terminal) throws(UsageError) -> String {
        guard let name else {
            let rows = commands.map { ($0.name, $0.summary) }
            return """
                usage: authlab COMMAND [OPTION…]

                \(Columns.list(rows, width: terminal.width))

                authlab COMMAND --help says more about one. authlab --version prints \(version).
                """
        }
        guard let command = commands.first(where: { $0.name == name }) else { throw unknown(name) }
        return command.help(width: terminal.width)
    }
}
