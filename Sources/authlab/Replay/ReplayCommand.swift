#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import AuthCore

/// The command that replays traces: `authlab replay [--policy NAME] [--face NAME] [--store STORE] FILE…`.
struct ReplayCommand: Sendable {
    var policy = AuthPolicy.firebase
    var face: @Sendable (AuthPolicy, LabStore) -> any ReplayFace = { AuthCoreFace(policy: $0, store: $1) }
    var store = StoreChoice.memory
    var files: [String] = []

    /// Reads the words after `replay`.
    init(arguments: [String]) throws(UsageError) {
        var arguments = arguments
        store = try StoreChoice(takenFrom: &arguments)
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--policy":
                switch rest.popFirst() {
                case "firebase": policy = .firebase
                case "firebaseProtected": policy = .firebaseProtected
                case "standard": policy = .standard
                case let other:
                    throw UsageError(
                        "--policy takes firebase, firebaseProtected or standard, not \(other ?? "nothing")"
                    )
                }
            case "--face":
                switch rest.popFirst() {
                case "authcore": face = { AuthCoreFace(policy: $0, store: $1) }
                case "firebase": face = { FirebaseFace(policy: $0, store: $1) }
                case let other: throw UsageError("--face takes authcore or firebase, not \(other ?? "nothing")")
                }
            case "-": files.append(word)
            case let option where option.hasPrefix("-"): throw UsageError("replay has no option \(option)")
            default: files.append(word)
            }
        }
        if files.isEmpty { throw UsageError("replay needs a file, or - for standard input") }
    }

    /// Replays the files; returns true if nothing was different.
    func run(print: (String) -> Void) async throws(UsageError) -> Bool {
        var traces: [Trace] = []
        for file in files {
            for (index, line) in try read(file).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where !line.allSatisfy(\.isWhitespace) {
                do {
                    traces.append(try Trace(line: line))
                } catch {
                    throw UsageError("\(file) line \(index + 1): \(error)")
                }
            }
        }
        let (face, store) = (face, try await store.open())
        let replay = Replay(face: { face($0, store) }, policy: policy, empty: store.empty)
        let report = await replay.replay(traces)
        for difference in report.differences { print(difference.description) }
        print(report.summary)
        return report.differences.isEmpty
    }

    private func read(_ file: String) throws(UsageError) -> String {
        if file == "-" {
            var text = ""
            while let line = readLine(strippingNewline: false) { text += line }
            return text
        }
        guard let data = FileManager.default.contents(atPath: file) else { throw UsageError("cannot read \(file)") }
        return String(decoding: data, as: UTF8.self)
    }
}
