/// The command that prints the decision map: `authlab matrix`.
struct MatrixCommand: Sendable {
    enum Format: Sendable {
        case table, markdown, html, svg(Theme)
    }

    static let format = Option(name: "--format", value: "FORMAT", help: "table, markdown, html, svg or svg-dark")
    static let policy = Option(
        name: "--policy",
        value: "POLICY",
        help: "a preset or a file with a policy, to compare with .standard; without it, .firebase"
    )
    static let synopsis = Synopsis(
        name: "matrix",
        summary: "Prints the decision map: what happens when something arrives at an account, under two policies.",
        options: [format, policy],
        notes: [
            "Every cell is the answer of a service in memory with simulated providers. The accounts may be older than "
                + "the policy, and have passwords and providers that it refuses now.",
            "authlab matrix --format html > map.html\nauthlab matrix --policy policy.json",
        ]
    )

    var format = Format.table
    var policies = [NamedPolicy.standard, .firebase]

    /// Reads the words after `matrix`.
    init(arguments: [String]) throws(UsageError) {
        let arguments = try Self.synopsis.read(arguments)
        let formats: KeyValuePairs<String, Format> = [
            "table": .table, "markdown": .markdown, "html": .html, "svg": .svg(.light), "svg-dark": .svg(.dark),
        ]
        format = try arguments.choice(Self.format, formats) ?? .table
        if let text = arguments[Self.policy] {
            policies = [.standard, try NamedPolicy(presetOrFile: text)]
        }
    }

    func run(_ terminal: Terminal, print: (String) -> Void) async throws {
        let map = try await DecisionMap(policies: policies)
        switch format {
        case .table: for line in map.lines(terminal) { print(line) }
        case .markdown: print(map.markdown)
        case .html: print(MapPage(map: map).html)
        case .svg(let theme): print(map.svg(theme))
        }
    }
}
