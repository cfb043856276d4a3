internal import Foundation

/// The faults of code that is not a rule.
extension Mutator {
    /// A condition with its faults: it is the opposite, its boundary is moved, or its operator is another.
    static func mutate(condition: String, _ add: (Mutant.Kind) -> Int) -> String {
        var mutated = condition
        if let other = condition.withOtherBoundary {
            mutated = "(isKept(\(add(.movedBoundary))) ? \(condition) : \(other))"
        } else if let other = condition.withOtherOperator {
            mutated = "(isKept(\(add(.swappedOperator))) ? \(condition) : \(other))"
        }
        return "(\(mutated)) == isKept(\(add(.flippedCondition)))"
    }

    /// A line that is no `if`, `guard` or `while` with the faults of the expressions in it.
    static func mutate(expression line: String, after before: String, _ add: (Mutant.Kind) -> Int) -> String {
        let indent = line.prefix { $0 == " " }
        let text = line.trimmed
        // A Boolean that is given back.
        let isReturned = text.hasPrefix("return ")
        if isReturned || before.hasSuffix("Bool {"), !text.contains("{") {
            let condition = isReturned ? String(text.dropFirst(7)) : text
            if condition.isCondition {
                return "\(indent)\(isReturned ? "return " : "")\(mutate(condition: condition, add))"
            }
        }
        if text.contains("Bool {"), !text.contains("{ get"), let match = text.wholeMatch(of: #/(.*\bBool \{) (.+) \}/#),
            String(match.2).isBalanced,
            !match.2.contains("; ")
        {
            return "\(indent)\(match.1) \(mutate(condition: String(match.2), add)) }"
        }
        var line = line
        if text.hasPrefix("for ") {
            line = line.replacing(#/(for .+? where )(.+)( \{)$/#) { match in
                "\(match.1)\(mutate(condition: String(match.2), add))\(match.3)"
            }
        }
        if text.contains(" ? ") {
            line = line.replacing(#/((?: = |return |^\s*))([\w.]+(?: (?:==|!=|<=|>=|<|>) [\w.]+)?)( \? .+ : .+)$/#) {
                match in
                "\(match.1)((\(match.2)) == isKept(\(add(.flippedCondition))))\(match.3)"
            }
        }
        if text.contains("min(") || text.contains("max(") {
            line = line.replacing(#/\b(min|max)\(([\w.]+), ([\w.]+)\)/#) { match in
                let other = match.1 == "min" ? "max" : "min"
                let arguments = "(\(match.2), \(match.3))"
                return "(isKept(\(add(.swappedOperator))) ? \(match.1)\(arguments) : \(other)\(arguments))"
            }
        }
        if text.contains(" + ") || text.contains(" - ") {
            line = line.replacing(#/ ([+\-]) (\d+)(?=[\s,)\]}]|$)/#) { match in
                " \(match.1) (isKept(\(add(.movedBoundary))) ? \(match.2) : 0)"
            }
        }
        if text.contains("throw AuthError(") {
            line = line.replacing(#/\bthrow AuthError\((\.\w+)(?=[,)])/#) { match in
                if match.1 == ".internalError" { return String(match.0) }
                return "throw AuthError(isKept(\(add(.swappedCode))) ? \(match.1) : .internalError"
            }
        }
        if text.hasPrefix("defer {") {
            line = line.replacing(#/\bdefer \{ (.+) \}$/#) { match in
                "defer { if isKept(\(add(.droppedStatement))) { \(match.1) } }"
            }
        }
        return line
    }

    /// Whether the line is a whole statement with an effect: a call or an assignment.
    func isEffect(_ text: String, after before: String, before next: String) -> Bool {
        let first = text.prefix { $0.isLetter || $0 == "@" || $0 == "#" || $0 == "}" || $0 == "." }
        guard !Self.wordsWithoutEffect.contains(String(first)), text.isBalanced,
            text.wholeMatch(of: Self.effect) != nil,
            // What is declared without a value may have only one.
            text.wholeMatch(of: #/self\.\w+ = .*/#) == nil
        else { return false }
        if ["(", ",", "=", "return", "?", ":", "&&", "||", "->", "[", "in"].contains(where: before.hasSuffix) {
            return false
        }
        return !["&&", "||", "?", ".", ":", "+"].contains(where: next.hasPrefix)
    }

    private static var wordsWithoutEffect: Set<String> {
        [
            "let", "var", "return", "throw", "case", "default", "if", "else", "guard", "deinit", "for", "while",
            "switch", "do", "defer",
            "func", "init", "self.init", "super.init", "import", "break", "continue", "private", "fileprivate",
            "internal", "package", "public", "static", "mutating", "final", "open", "override", "convenience",
            "nonisolated", "weak", "unowned", "lazy", "struct", "class", "enum", "extension", "protocol", "typealias",
            "subscript", "get", "set", "indirect", "prefix", "infix", "postfix",
        ]
    }

    /// A call, perhaps with a closure, or an assignment.
    private static var effect: Regex<Substring> {
        #/(?:_ = )?(?:try[?]? )?(?:await )?[A-Za-z_$][\w.$?!]*(?:\[[^=]*\])?[\w.?!]*(?:\(.*\)| \{.*\}| [+\-*\/&|]?= .+)/#
    }
}

extension StringProtocol {
    /// A Boolean expression on one line.
    fileprivate var isCondition: Bool {
        let text = String(self)
        return text.isPlainCondition
            && (text == "true" || text == "false" || text.hasPrefix("!")
                || text.contains(#/ (?:==|!=|<|>|<=|>=|&&|\|\|) /#)
                || text.contains(#/^[\w.]*\b(?:(?:is|has)[A-Z]\w*|contains|allSatisfy)(?:\(.*\))?$/#))
            && !(text.hasPrefix("(") && text.contains(","))
            && !["&&", "||", "?", ":", "."].contains(where: text.hasPrefix) && !text.contains(" ? ")
            && !text.hasSuffix("&&") && !text.hasSuffix("||") && !text.hasSuffix(",")
    }
}

extension String {
    /// The only comparison with its boundary on the other side.
    fileprivate var withOtherBoundary: String? {
        let others = [" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > "]
        let found = others.keys.filter(contains)
        guard let mark = found.first, found.count == 1, let other = others[mark] else { return nil }
        return components(separatedBy: mark).count == 2 ? replacingOccurrences(of: mark, with: other) : nil
    }

    /// The only conjunction as a disjunction, or the other way round.
    fileprivate var withOtherOperator: String? {
        let others = [" && ": " || ", " || ": " && "]
        let found = others.keys.filter(contains)
        guard let mark = found.first, found.count == 1, let other = others[mark] else { return nil }
        return components(separatedBy: mark).count == 2 ? replacingOccurrences(of: mark, with: other) : nil
    }
}
