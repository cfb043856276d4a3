/// An option that commands take.
struct Option: Sendable, Hashable {
    /// The name with its two dashes.
    let name: String
    /// What the value is called; nil for an option without one.
    var value: String?
    let help: String

    var usage: String { value.map { "\(name) \($0)" } ?? name }
}

/// What a command takes: its help, and the parser of its words, are made of this.
struct Synopsis: Sendable {
    let name: String
    let summary: String
    var options: [Option] = []
    /// What the words without dashes are called; nil if the command takes none.
    var operands: String?
    var notes: [String] = []

    private static let helpOption = Option(name: "--help", help: "print this help")

    /// Reads the words after the command's name: options in any order, `--name value` or `--name=value`, each once;
    /// after `--` every word is an operand.
    func read(_ words: [String]) throws(UsageError) -> Arguments {
        var arguments = Arguments(command: name)
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                arguments.operands += rest
                break
            }
            if word.isEmpty { throw error("a word is empty") }
            guard word.hasPrefix("-"), word != "-" else {
                arguments.operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                throw error("there is no option \(parts[0])", hint: NearMiss.hint(parts[0], among: options.map(\.name)))
            }
            let given = parts.count > 1 ? parts[1] : nil
            if arguments.has(option) { throw error("\(option.name) is there twice") }
            if option.value == nil {
                if given != nil { throw error("\(option.name) takes no value") }
                arguments.flags.insert(option.name)
            } else {
                guard let value = given ?? rest.popFirst(), !value.isEmpty, given != nil || !value.hasPrefix("--")
                else {
                    throw error("\(option.name) needs a value", hint: option.help)
                }
                arguments.values[option.name] = value
            }
        }
        if operands == nil, let word = arguments.operands.first { throw error("\(word) is not expected") }
        return arguments
    }

    private func error(_ text: String, hint: String? = nil) -> UsageError {
        UsageError("\(name): \(text)", hint: hint ?? "authlab \(name) --help")
    }

    /// The command on one line.
    var usage: String {
        (["authlab \(name)"] + options.map { "[\($0.usage)]" } + [operands].compactMap(\.self)).joined(separator: " ")
    }

    /// The help of the command.
    func help(width: Int) -> String {
        let head = Columns.wrapped(usage, first: "usage: ", rest: "       ", width: width)
        let rows = (options + [Self.helpOption]).map { ($0.usage, $0.help) }
        let parts = [head, summary, Columns.list(rows, width: width)] + notes
        return parts.map { $0.contains("\n") ? $0 : Columns.wrapped($0, width: width) }.joined(separator: "\n\n")
    }
}

/// The words of a command, read.
struct Arguments: Sendable {
    let command: String
    var operands: [String] = []
    fileprivate(set) var flags: Set<String> = []
    fileprivate(set) var values: [String: String] = [:]

    fileprivate init(command: String) { self.command = command }

    func has(_ option: Option) -> Bool { flags.contains(option.name) || values[option.name] != nil }

    subscript(option: Option) -> String? { values[option.name] }

    /// The value of an option that takes one of these words.
    func choice<Value>(_ option: Option, _ choices: KeyValuePairs<String, Value>) throws(UsageError) -> Value? {
        guard let text = values[option.name] else { return nil }
        if let found = choices.first(where: { $0.key == text }) { return found.value }
        let names = choices.map(\.key)
        throw UsageError(
            "\(command): \(option.name) takes \(names.joined(separator: ", ")), not \(text)",
            hint: NearMiss.hint(text, among: names) ?? "authlab \(command) --help"
        )
    }

    /// The value of an option that takes one of these names, of which there are many.
    func name(_ option: Option, among names: [String]) throws(UsageError) -> String? {
        guard let text = values[option.name] else { return nil }
        if names.contains(text) { return text }
        throw UsageError(
            "\(command): there is no \((option.value ?? "name").lowercased()) \(text)",
            hint: NearMiss.hint(text, among: names) ?? names.joined(separator: ", ")
        )
    }

    /// The value of an option that takes a number in this range.
    func number<Value: LosslessStringConvertible & Comparable>(
        _ option: Option,
        _ range: ClosedRange<Value>
    ) throws(UsageError) -> Value? {
        guard let text = values[option.name] else { return nil }
        if let number = Value(text), range.contains(number) { return number }
        throw UsageError(
            "\(command): \(option.name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)",
            hint: "authlab \(command) --help"
        )
    }
}

/// A command line that cannot be understood: what is wrong, and what helps.
struct UsageError: Error, Sendable, CustomStringConvertible {
    let text: String
    let hint: String?

    init(_ text: String, hint: String? = nil) {
        self.text = text
        self.hint = hint
    }

    var description: String { text }
}
