/// An article that follows an operation through the code, held against what calls what.
///
/// A step is a line of a numbered list that begins with a function and its file: ``1. `signIn(with:)` in
/// `Client/Auth.swift` ``.
struct Walkthrough {
    private(set) var mistakes: [String] = []
    private(set) var count = 0
    private let files: [String: IndexedFile]
    /// The functions that name a symbol.
    private var callers: [String: Set<String>] = [:]

    init(_ text: String, _ index: [IndexedFile], sources: String) {
        files = Dictionary(index.map { (String($0.path.dropFirst(sources.count)), $0) }) { first, _ in first }
        for occurrence in index.lazy.flatMap(\.occurrences) {
            callers[occurrence.symbol, default: []].formUnion(occurrence.callers)
        }
        var before: Set<String> = []
        for line in text.split(separator: "\n") {
            guard let step = Step(line) else { continue }
            if step.number == 1 { before = [] }
            before.formUnion(symbols(of: step, after: before))
        }
    }

    /// The symbols that a step can mean; a step that means none, or that no step before it calls, is a mistake.
    private mutating func symbols(of step: Step, after before: Set<String>) -> [String] {
        count += 1
        let definitions = (files[step.file]?.occurrences ?? []).filter { $0.isDefinition && $0.name == step.function }
        if definitions.isEmpty { mistakes.append("there is no \(step.function) in \(step.file)") }
        if step.number == 1 || definitions.isEmpty { return definitions.map(\.symbol) }
        // What a protocol asks for is called by that name.
        let called = definitions.filter { definition in
            ([definition.symbol] + definition.overridden).contains { !before.isDisjoint(with: callers[$0] ?? []) }
        }
        if called.isEmpty { mistakes.append("no step before it calls \(step.function) in \(step.file)") }
        return definitions.map(\.symbol)
    }

    private struct Step {
        let number: Int
        let function: String
        let file: String

        init?(_ line: Substring) {
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            guard parts.count > 4, parts[0].hasSuffix(". "), let number = Int(parts[0].dropLast(2)),
                parts[3].hasSuffix(".swift")
            else { return nil }
            self.number = number
            function = String(parts[1])
            file = String(parts[3])
        }
    }
}
