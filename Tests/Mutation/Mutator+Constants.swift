internal import Foundation

/// The faults of constants, and of conditions that go over several lines.
extension Mutator {
    /// A line with other numbers, other texts that are no sentences, and the other Boolean values.
    static func mutate(constantsOf line: String, _ add: (Mutant.Kind) -> Int) -> String {
        let text = line.trimmed
        // A constant of a type is made once, perhaps while another fault is active.
        if let match = line.wholeMatch(of: #/(\s*(?:\w+ )*static) let (\w+) = (\d[\d_]*|"\w+")/#) {
            let isNumber = match.3.first != "\""
            let value = other(String(match.3), add)
            return "\(match.1) var \(match.2): \(isNumber ? "Int" : "String") { \(value) }"
        }
        let isGlobal = line.contains(#/^(?:\w+ )?let /#)
        if isGlobal || text.contains("static let ") || text.contains("#") || text.hasPrefix("@") { return line }
        if text.contains(#/\b(?:func|init|enum|struct|class|import)\b|^case [."\w]+(?:, | = )|^case (?:\d|")/#) {
            return line
        }
        let strings = text.matches(of: #/"[^"]*"/#)
        if strings.isEmpty {
            return line.replacing(#/(\w+: )(true|false)(?=[,)]|$)/#) { match in
                "\(match.1)\(match.2 == "true" ? "" : "!")isKept(\(add(.flippedCondition)))"
            }
            .replacing(#/(\w*[(,:=<>] ?)(\d[\d_]*)(?=[,)]|$| [^.])/#) { match in
                // What is in the call of another fault is its number.
                if match.1 == "isKept(" { return String(match.0) }
                return "\(match.1)\(other(String(match.2), add))"
            }
        }
        guard strings.allSatisfy({ $0.0.contains(#/^"[\w.]+"$/#) }) else { return line }
        return line.replacing(#/"[\w.]+"/#) { match in other(String(match.0), add) }
    }

    /// A constant, or another one while a fault is active.
    private static func other(_ constant: String, _ add: (Mutant.Kind) -> Int) -> String {
        if constant.first == "\"" {
            return "(isKept(\(add(.changedText))) ? \(constant) : \(constant.dropLast())x\")"
        }
        return "(isKept(\(add(.changedNumber))) ? \(constant) : \(constant) + 1)"
    }

    /// Whether a condition begins with this line and goes on with the next.
    static func beginsCondition(_ text: String) -> Bool {
        ["if ", "guard ", "while ", "} else if "].contains(where: text.hasPrefix) && !text.contains("{")
    }

    /// A line of a condition of several with the faults of its parts.
    static func mutate(partsOfCondition line: String, before next: String, _ add: (Mutant.Kind) -> Int) -> String {
        guard let match = line.wholeMatch(of: #/(\s*(?:if |guard |while |\} else if )?)(.+?)(,| \{| else \{)?/#) else {
            return line
        }
        var parts = String(match.2).topLevelParts
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            if isLast, match.3 == nil, ["&&", "||", "?", ".", ":", "==", "+"].contains(where: next.hasPrefix) {
                continue
            }
            if part.isEmpty || !part.isPlainCondition || part.contains("{") { continue }
            if ["&&", "||", "?", ".", ":", "==", ")"].contains(where: part.hasPrefix) { continue }
            parts[index] = mutate(condition: part, add)
        }
        return "\(match.1)\(parts.joined(separator: ", "))\(match.3 ?? "")"
    }
}
