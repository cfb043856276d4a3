/// The faults of calls: a function is its opposite or left out, or only the fallback of a value is taken.
extension Mutator {
    /// A line with another function where one has an opposite of the same type.
    static func mutate(functionsOf line: String, _ add: (Mutant.Kind) -> Int) -> String {
        func swapped(_ call: some StringProtocol, _ other: String) -> String {
            "(isKept(\(add(.swappedFunction))) ? \(call) : \(other))"
        }
        // A constant is made once, perhaps while another fault is active.
        if line.trimmed.hasPrefix("static let ") { return line }
        var line = line
        line = line.replacing(#/([\w.]*\w)([?]?)\.(first|last)(?![\w(])(?! \{)/#) { match in
            swapped(match.0, "\(match.1)\(match.2).\(match.3 == "first" ? "last" : "first")")
        }
        line = line.replacing(#/([\w.]*\w)\.(contains|allSatisfy)( \{ [^{}]* \})/#) { match in
            swapped(match.0, "\(match.1).\(match.2 == "contains" ? "allSatisfy" : "contains")\(match.3)")
        }
        line = line.replacing(#/([\w.]*\w)\.(min|max)\(\)/#) { match in
            swapped(match.0, "\(match.1).\(match.2 == "min" ? "max" : "min")()")
        }
        line = line.replacing(#/([\w.]*\w)\.(prefix|suffix)\(([\w.]+)\)/#) { match in
            swapped(match.0, "\(match.1).\(match.2 == "prefix" ? "suffix" : "prefix")(\(match.3))")
        }
        line = line.replacing(#/([\w.]*\w)\.(hasPrefix|hasSuffix)\(([^()]+)\)/#) { match in
            swapped(match.0, "\(match.1).\(match.2 == "hasPrefix" ? "hasSuffix" : "hasPrefix")(\(match.3))")
        }
        line = line.replacing(#/([\w.]*\w)\.(?:lowercased|sorted|reversed)\(\)/#) { swapped($0.0, String($0.1)) }
        return line.replacing(#/(= |return |: )([\w.?]+(?:\[[\w.]+\])?) \?\? ([\w.]+)$/#) { match in
            match.1 + swapped("\(match.2) ?? \(match.3)", String(match.3))
        }
    }
}
