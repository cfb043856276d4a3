/// The type of what the function or property gives back that a line is in, while lines are passed in order.
struct ResultTypes {
    private var open: [(end: String, type: String?)] = []

    /// The type; nil outside of functions and where nothing is given back.
    var current: String? { open.last?.type }

    mutating func pass(_ line: String) {
        while let last = open.last, line.hasPrefix(last.end) { open.removeLast() }
        let indent = String(line.prefix { $0 == " " })
        if let match = line.wholeMatch(of: #/.*\) (?:async )?(?:throws(?:\(\w+\))? )?-> (.+) \{/#) {
            open.append((indent + "}", String(match.1)))
        } else if let match = line.wholeMatch(of: #/\s*(?:[\w()]+ )*var \w+: ([^{]+) \{/#) {
            open.append((indent + "}", String(match.1)))
        } else if line.contains(#/\b(?:func|init)\b.*\{$/#) || line.contains(#/^\s*\) ?(?:async )?(?:throws.*)?\{$/#) {
            open.append((indent + "}", nil))
        }
    }
}
