internal import AuthCore

/// Everything that `authlab explain` knows by name.
enum Glossary {
    struct Entry: Sendable {
        /// The names under which it is found, the first of which is its own.
        let names: [String]
        /// What it is and its name.
        let head: String
        let lines: [String]

        func text(width: Int) -> String {
            ([head] + lines.map { Columns.wrapped($0, first: "  ", rest: "  ", width: width) }).joined(separator: "\n")
        }
    }

    static let errors = AuthErrorCode.all.map { code in
        Entry(
            names: [code.name, code.firebaseName, String(code.rawValue)],
            head: "error \(code.name) (\(code.rawValue), \(code.firebaseName))",
            lines: [AuthError(code).message]
        )
    }

    static let reasons = Reason.all.map { reason in
        Entry(names: [reason.rawValue], head: "reason \(reason)", lines: [reason.explanation])
    }

    static let choices: [Entry] = {
        let (standard, firebase) = (PolicyValues(.standard), PolicyValues(.firebase))
        let known = Dictionary(uniqueKeysWithValues: PolicyChoice.all.map { ($0.name, $0) })
        return standard.rows.map { name, value in
            let values = ["standard: \(value)", "firebase: \(firebase[name] ?? "")"]
            let words = known[name].map { [$0.purpose, "If changed: " + $0.risk] } ?? []
            let names = [name] + name.split(separator: ".").dropFirst().map(String.init)
            return Entry(names: names, head: "choice \(name)", lines: values + words)
        }
    }()

    static let all = errors + reasons + choices

    private static let lists = ["errors": errors, "reasons": reasons, "choices": choices]

    /// Every name that is a word, and those of the lists.
    static let names = all.flatMap(\.names).filter { Int($0) == nil } + lists.keys.sorted()

    /// What a name stands for.
    static func entries(_ name: String) -> [Entry] { lists[name] ?? all.filter { $0.names.contains(name) } }
}
