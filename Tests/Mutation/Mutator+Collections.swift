/// The faults of what goes over a collection: the condition of a closure is the opposite, or a loop leaves the first
/// element out.
extension Mutator {
    /// A line with the opposite of each condition that a closure in it has.
    static func mutate(closuresOf line: String, _ add: (Mutant.Kind) -> Int) -> String {
        // A constant is made once, perhaps while another fault is active.
        if line.contains(#/^\s*(?:\w+ )*static let /#) { return line }
        // Where another fault repeats a closure, both are one.
        var numbers: [Substring: Int] = [:]
        return line.replacing(#/\.(\w+)(\((?:where|while): | )\{ ((?:\w+ in )?)([^{}]+) \}/#) { match in
            guard functionsOfConditions.contains(String(match.1)) else { return String(match.0) }
            let number = numbers[match.4] ?? add(.flippedCondition)
            numbers[match.4] = number
            return ".\(match.1)\(match.2){ \(match.3)(\(match.4)) == isKept(\(number)) }"
        }
    }

    private static var functionsOfConditions: Set<String> {
        [
            "filter", "first", "last", "contains", "allSatisfy", "removeAll", "firstIndex", "lastIndex", "prefix",
            "drop", "count",
        ]
    }

    /// A loop without the first element.
    static func mutate(loop line: String, _ add: (Mutant.Kind) -> Int) -> String {
        guard !line.contains(" await "),
            let match = line.wholeMatch(of: #/(\s*for .+? in )([^{}]+?)( where .+)? \{/#)
        else { return line }
        // Without a copy: the collection may be without an end.
        let rest = "(\(match.2)).dropFirst(isKept(\(add(.omittedElement))) ? 0 : 1)"
        return "\(match.1)\(rest)\(match.3 ?? "") {"
    }
}
