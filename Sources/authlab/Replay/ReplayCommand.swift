internal import AuthCore

/// The command that replays traces: `authlab replay`.
struct ReplayCommand: Sendable {
    static let policy = Option(
        name: "--policy",
        value: "PRESET",
        help: "firebase (default), firebaseProtected or standard"
    )
    static let face = Option(name: "--face", value: "FACE", help: "authcore (default) or firebase")
    static let synopsis = Synopsis(
        name: "replay",
        summary: "Replays recorded traces and prints every difference.",
        options: [policy, face, StoreChoice.option],
        operands: "FILE…",
        notes: ["- reads standard input. The status is 1 if anything differs, and 2 if a file has no traces."]
    )

    var policy = AuthPolicy.firebase
    var face: @Sendable (AuthPolicy, LabStore) -> any ReplayFace = { AuthCoreFace(policy: $0, store: $1) }
    let store: StoreChoice
    let files: [String]

    /// Reads the words after `replay`.
    init(arguments: [String]) throws(UsageError) {
        let arguments = try Self.synopsis.read(arguments)
        if let name = arguments[Self.policy] { policy = try NamedPolicy(preset: name).policy }
        let faces: KeyValuePairs<String, @Sendable (AuthPolicy, LabStore) -> any ReplayFace> = [
            "authcore": { AuthCoreFace(policy: $0, store: $1) }, "firebase": { FirebaseFace(policy: $0, store: $1) },
        ]
        if let face = try arguments.choice(Self.face, faces) { self.face = face }
        store = try StoreChoice(arguments)
        files = arguments.operands
        if files.isEmpty {
            throw UsageError("replay: a file is needed, or - for standard input", hint: Self.synopsis.usage)
        }
    }

    /// Replays the files; returns true if nothing was different.
    func run(_ progress: ProgressLog = .silent, print: (String) -> Void) async throws -> Bool {
        var traces: [Trace] = []
        for file in files {
            progress.begins("reading \(file == "-" ? "standard input" : file)")
            let text = try InputFile.text(file)
            let count = traces.count
            // A line may end as on Windows, and "\r\n" is one character.
            let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
                do {
                    traces.append(try Trace(line: line))
                } catch {
                    throw UsageError("\(file) line \(index + 1): \(error)")
                }
            }
            // A file that was lost must not look like one without a difference.
            if traces.count == count {
                let name = file == "-" ? "standard input" : file
                throw UsageError("\(name) has no traces", hint: "each line of the file is a trace")
            }
        }
        progress.begins("opening the store")
        let (face, store) = (face, try await store.open())
        let replay = Replay(face: { face($0, store) }, policy: policy, empty: store.empty, progress: progress)
        let report = await replay.replay(traces)
        for difference in report.differences { print(difference.description) }
        print(report.summary)
        return report.differences.isEmpty
    }
}
