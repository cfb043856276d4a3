internal import Foundation

/// Writes faults into source text, each behind its number, so that one build holds them all.
struct Mutator {
    let scope: Scope
    let members: MemberNames
    private(set) var mutants: [Mutant] = []

    /// The text with its faults, and the text without those that may not compile.
    mutating func mutate(_ source: String, file: String, of module: String) -> (all: String, careful: String) {
        var lines = source.components(separatedBy: "\n")
        var all = lines
        var results = ResultTypes()
        var isText = false
        // The line that ends the initializer, which sets what has no value before.
        var endOfInitializer: String?
        // The line that ends a constant of several lines, which is made once, perhaps while another fault is active.
        var endOfConstant: String?
        // Whether a line belongs to a condition that goes over several.
        var isInCondition = false
        var platforms = PlatformConditions()
        for index in lines.indices {
            if !platforms.compiles(lines[index]) { continue }
            results.pass(lines[index])
            if lines[index] == endOfInitializer { endOfInitializer = nil }
            if lines[index].contains(#/^\s*(?:[a-z]+ )*init[?]?[(<]/#) {
                endOfInitializer = lines[index].prefix { $0 == " " } + "}"
            }
            // Text of several lines is not code.
            let delimiters = lines[index].components(separatedBy: "\"\"\"").count - 1
            defer { if delimiters % 2 == 1 { isText.toggle() } }
            if isText || delimiters > 0 { continue }
            let before = index > 0 ? lines[..<index].last { !$0.trimmed.isEmpty }?.trimmed ?? "" : ""
            let next = index + 1 < lines.count ? lines[index + 1].trimmed : ""
            let isGivenBack = before.hasSuffix("{") && next == "}" && isResult(after: before)
            let isSetFirst = endOfInitializer != nil && lines[index].contains(#/^\s*\w+ = /#)
            let text = lines[index].trimmed
            if text.hasPrefix("else") || before.hasSuffix("{") { isInCondition = false }
            if scope != .rules, Self.beginsCondition(text) { isInCondition = true }
            if let end = endOfConstant {
                if lines[index].hasPrefix(end) { endOfConstant = nil }
                continue
            }
            if let match = lines[index].firstMatch(of: #/^(\s*)(?:\w+ )*static let .*([\[({])$/#),
                scope != .rules || match.2 == "{"
            {
                endOfConstant = match.1 + (match.2 == "[" ? "]" : match.2 == "(" ? ")" : "}")
                continue
            }
            let place = Place(module: module, file: file, line: index + 1, text: text)
            lines[index] = mutate(
                line: lines[index],
                isInCondition: isInCondition,
                after: isGivenBack || isSetFirst ? "return" : before,
                before: next,
                place
            )
            all[index] = guess(line: lines[index], result: results.current, place)
        }
        return (all.joined(separator: "\n"), lines.joined(separator: "\n"))
    }

    /// A line with the faults that may not compile as well.
    private mutating func guess(line: String, result: String?, _ place: Place) -> String {
        guard !place.text.hasPrefix("//"), !Self.changesNoAnswer(place.text) else { return line }
        func add(_ kind: Mutant.Kind) -> Int { self.add(kind, isGuess: true, place) }
        return Self.mutate(valuesOf: Self.mutate(membersOf: line, by: members, add), result, add)
    }

    private mutating func add(_ kind: Mutant.Kind, isGuess: Bool, _ place: Place) -> Int {
        mutants.append(Mutant(number: mutants.count + 1, kind: kind, scope: scope, place: place, isGuess: isGuess))
        return mutants.count
    }

    /// Whether the only expression of a body that begins so is what the body gives back.
    private func isResult(after before: String) -> Bool {
        switch scope {
        case .rules: return !before.hasPrefix("if") && !before.hasPrefix("for")
        case .around, .sqlite, .postgres:
            // What is of type Bool has faults of its own.
            if before.hasSuffix("Bool {") { return false }
            return before.contains(" -> ") || before.contains(#/\bvar \w+: /#) || before == "get {"
        }
    }

    private mutating func mutate(
        line: String,
        isInCondition: Bool,
        after before: String,
        before next: String,
        _ place: Place
    ) -> String {
        let text = place.text
        guard !text.hasPrefix("//"), !Self.changesNoAnswer(text) else { return line }
        var line = line
        func add(_ kind: Mutant.Kind) -> Int { self.add(kind, isGuess: false, place) }
        // A constant is made once, perhaps while another fault is active; so a shared refusal is made at every use.
        if text.hasPrefix("static let ") {
            line = line.replacing(#/^(\s*)static let (\w+) = (Refusal\(.*\))$/#) { match in
                "\(match.1)static var \(match.2): Refusal { \(match.3) }"
            }
        }
        if let range = conditionRange(of: line) {
            let parts = String(line[range]).topLevelParts
            let mutated = parts.map { part in
                guard part.isPlainCondition else { return part }
                if scope != .rules { return Self.mutate(condition: part, add) }
                return "mutated(\(add(.flippedCondition)), \(part))"
            }
            line.replaceSubrange(range, with: mutated.joined(separator: ", "))
        } else if isInCondition {
            line = Self.mutate(partsOfCondition: line, before: next, add)
        } else if scope != .rules {
            line = Self.mutate(expression: line, after: before, add)
        }
        if text.contains("facts.") {
            line = line.replacing(#/(facts\.\w+(?: [=!<>]=? [.\w]+)?) \? /#) { match in
                "mutated(\(add(.flippedCondition)), \(match.1)) ? "
            }
        }
        if scope == .rules { line = Self.mutate(reasons: line, add) }
        // What a rule is told is so; a constant is only there until something is known.
        if text.contains(": "),
            let fact = text.wholeMatch(of: #/((?:is|has|adds|returns|must)[A-Z]\w*): ([^:]+?)(,?)/#),
            fact.2.first?.isUppercase == false, String(fact.2).isPlainCondition, !["true", "false"].contains(fact.2),
            !["&&", "||", "?", "."].contains(where: next.hasPrefix)
        {
            let indent = line.prefix { $0 == " " }
            line = "\(indent)\(fact.1): mutated(\(add(.flippedCondition)), \(fact.2))\(fact.3)"
        }
        let isUnchanged = line.trimmed == text
        if scope == .rules
            ? isStatement(text, after: before) : isUnchanged && isEffect(text, after: before, before: next)
        {
            let indent = line.prefix { $0 == " " }
            let number = add(.droppedStatement)
            if scope != .rules { line = Self.mutate(constantsOf: line, add) }
            line = "\(indent)if isKept(\(number)) { \(line.trimmed) }"
        } else if scope != .rules, isUnchanged {
            line = Self.mutate(constantsOf: line, add)
            if line.trimmed == text { line = Self.mutate(functionsOf: line, add) }
        }
        return Self.mutate(closuresOf: Self.mutate(loop: line, add), add)
    }

    /// Whether a line only reserves room, stops a program that is wrong already, or names a queue for debuggers:
    /// without it every answer is the same.
    private static func changesNoAnswer(_ text: String) -> Bool {
        text.contains(#/(?:^|[. ])(?:reserveCapacity|makeContiguousUTF8|precondition|assertionFailure)\(/#)
            || text.contains(#/^(?:\w+ )*let \w+ = DispatchQueue\(label: "[^"]*"(?:, qos: \.\w+)?\)$/#)
    }

    /// A line with other reasons.
    private static func mutate(reasons line: String, _ add: (Mutant.Kind) -> Int) -> String {
        var line = line
        line = line.replacing(#/((?:Refusal|\.refuse|\.conflict)\(\.\w+, )(\.\w+)(?=[,)])/#) { match in
            // What is already the reason of what cannot be has none to be swapped with.
            if match.2 == ".factsContradict" { return String(match.0) }
            return "\(match.1)mutatedReason(\(add(.swappedReason)), \(match.2))"
        }
        line = line.replacing(#/\bthrow (\.\w+)(?= \}|$)/#) { match in
            match.1 == ".contradiction" ? String(match.0) : "throw mutatedRefusal(\(add(.swappedReason)), \(match.1))"
        }
        line = line.replacing(#/(reasons\.append\(|\.conflict\()(\.\w+)\)/#) { match in
            "\(match.1)mutatedReason(\(add(.swappedReason)), \(match.2)))"
        }
        return line
    }

    /// Where the condition of an `if` or `guard` stands that begins and ends on this line.
    private func conditionRange(of line: String) -> Range<String.Index>? {
        let words = ["if ", "guard ", "while ", "} else if "]
        guard words.contains(where: line.trimmed.hasPrefix),
            let match = line.firstMatch(of: #/^\s*(?:\} else )?(?:if (.+?) \{|guard (.+?) else \{|while (.+?) \{)/#)
        else {
            return nil
        }
        guard let condition = match.1 ?? match.2 ?? match.3, !condition.contains("{") else { return nil }
        return condition.startIndex..<condition.endIndex
    }

    /// Whether the line is a whole statement whose effect can be left out.
    private func isStatement(_ text: String, after before: String) -> Bool {
        guard
            text.contains(
                #/^(?:transaction|account|facts|rest|reduced|session|authentication|changes|self\.changes|query)\.[\w.\[\]]+(?:\(.*\)| [+]?= .+| \{.*\})$/#
            ),
            text.isBalanced, !text.contains(#/\.(?:granted|refused|challenge|conflict|keep|rest|signIn)\(/#)
        else { return false }
        return !(before.hasSuffix("(") || before.hasSuffix(",") || before.hasSuffix("=") || before.hasSuffix("return"))
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespaces) }

    /// Whether every bracket that opens closes.
    var isBalanced: Bool {
        var depth = 0
        for character in self {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth < 0 { return false }
        }
        return depth == 0
    }

    /// A condition that binds nothing.
    var isPlainCondition: Bool {
        !contains(#/\b(?:let|var|case)\b|#available|mutated\(/#) && isBalanced
    }

    /// The parts between commas that stand in no bracket.
    var topLevelParts: [String] {
        var parts = [""]
        var depth = 0
        for character in self {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if character == "," && depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map(\.trimmed)
    }
}
