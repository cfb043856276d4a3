internal import AuthCore

/// The command that explains the names in errors, events and policies, and what would happen: `authlab explain`.
struct ExplainCommand: Sendable {
    static let state = Option(
        name: "--state",
        value: "FILE",
        help: "say what would happen in the described state, why, and what would change it; - reads standard input"
    )
    static let policy = Option(
        name: "--policy",
        value: "POLICY",
        help: "a preset or a file with a policy, for --state; standard by default"
    )
    static let synopsis = Synopsis(
        name: "explain",
        summary: "Explains errors, reasons and the choices of a policy; without a name, all of them.",
        options: [state, policy],
        operands: "[NAME…]",
        notes: [
            "A name is that of an error (also its number or Firebase's name), a reason, or a choice of a policy; errors, "
                + "reasons and choices are the lists of them.",
            "authlab explain methodsAreNotCovered joining 17012\nauthlab explain --state state.json\n\n\(StateFile.form)",
        ]
    )

    private let names: [String]
    private let state: StateFile?
    private let policy: NamedPolicy

    /// Reads the words after `explain`.
    init(arguments: [String]) throws(UsageError) {
        let arguments = try Self.synopsis.read(arguments)
        names = arguments.operands
        policy =
            try arguments[Self.policy].map { (text) throws(UsageError) in
                try NamedPolicy(presetOrFile: text)
            } ?? .standard
        state = try arguments[Self.state].map { (file) throws(UsageError) in
            try StateFile(text: InputFile.text(file), file: file == "-" ? "standard input" : file)
        }
        if state != nil, let name = names.first { throw UsageError("explain: \(name) is not expected with --state") }
        if state == nil, arguments.has(Self.policy) {
            throw UsageError("explain: --policy needs --state", hint: "authlab matrix compares policies")
        }
        for name in names where Glossary.entries(name).isEmpty {
            let hint = NearMiss.hint(name, among: Glossary.names) ?? "authlab explain lists every name"
            throw UsageError("explain: \(name) is no error, reason or choice of a policy", hint: hint)
        }
    }

    /// Explains each name, or every name if none is given, or the state.
    func run(_ terminal: Terminal, print: (String) -> Void) async throws {
        if let state {
            for line in try await state.explained(under: policy) {
                print(Columns.wrapped(line, rest: "  ", width: terminal.width))
            }
            return
        }
        let entries = names.isEmpty ? Glossary.all : names.flatMap { Glossary.entries($0) }
        for entry in entries { print(entry.text(width: terminal.width)) }
    }
}
