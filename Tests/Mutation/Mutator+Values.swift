internal import Foundation

/// The faults of values: another variable or property of the same type, arguments in the other order or forgotten, a
/// result that is empty, an order that is the other way round.
///
/// Whether the types are the same is not known here, so these are guesses: a line that does not compile with them keeps
/// its other faults.
extension Mutator {
    /// A line with other values.
    static func mutate(valuesOf line: String, _ result: String?, _ add: (Mutant.Kind) -> Int) -> String {
        let text = line.trimmed
        if text.contains(#/isKept\(\d+\) \?|mutatedRe|^(?:\w+ )*static |^[@}]/#)
            || text.contains(#/["#\\]|\b(?:func|init|case|catch|is|import|typealias|subscript)\b/#)
        {
            return line
        }
        var line = line
        if let result, let match = line.wholeMatch(of: #/(\s*)return ((?:try )?(?:await )?)([^{}]+)/#),
            let empty = emptyValue(of: result), match.3 != empty, String(match.3).isBalanced, !match.3.hasSuffix(",")
        {
            return "\(match.1)return \(match.2)(isKept(\(add(.emptiedResult))) ? \(match.3) : \(empty))"
        }
        line = line.replacing(#/\.(sorted|min|max)(\(by: | )\{ ([^{}]+) ([<>]) ([^{}]+) \}/#) { match in
            let number = add(.reversedOrder)
            let reversed = "\(match.5) \(match.4) \(match.3)"
            return ".\(match.1)\(match.2){ isKept(\(number)) ? \(match.3) \(match.4) \(match.5) : \(reversed) }"
        }
        line = line.replacing(#/\b(\w+): ([a-z][\w.]*), (\w+): ([a-z][\w.]*)(?=[,)])/#) { match in
            if match.2 == match.4 || literals.contains(String(match.2)) || literals.contains(String(match.4)) {
                return String(match.0)
            }
            let number = add(.swappedArguments)
            return "\(match.1): (isKept(\(number)) ? \(match.2) : \(match.4)), "
                + "\(match.3): (isKept(\(number)) ? \(match.4) : \(match.2))"
        }
        if line.trimmed != text { return line }
        line = line.replacing(#/\b(\w+): ([a-z]\w*(?:[.]\w+)*)(?=[,)]|$)/#) { match in
            // The bytes of an optional value are others, whether or not there is a value.
            if literals.contains(String(match.2)) || ["default", "of"].contains(match.1) { return String(match.0) }
            let number = add(.forgottenArgument)
            return "\(match.1): (isKept(\(number)) ? \(match.2) : \(noValue(inPlaceOf: String(match.2))))"
        }
        if line.trimmed != text { return line }
        line = line.replacing(#/([(,:=<>+\-] ?|return )([a-z]\w*(?:[.]\w+)*)(?= |[,)]|$)(?! [=:?{])/#) { match in
            guard let other = otherValue(than: String(match.2)) else { return String(match.0) }
            return "\(match.1)(isKept(\(add(.swappedValue))) ? \(match.2) : \(other))"
        }
        return line
    }

    /// What a call gets that forgets the value: false, an empty list or nil, by the name of the value.
    private static func noValue(inPlaceOf value: String) -> String {
        let name = value.split(separator: ".").last.map(String.init) ?? value
        if name.contains(#/^(?:is|has|may|needs|replacing|forcing|handles)/#) { return "false" }
        return name.hasSuffix("s") && !name.hasSuffix("ss") ? "[]" : "nil"
    }

    private static var literals: Set<String> { ["true", "false", "nil", "self"] }

    /// What is given back in place of a result: nothing.
    private static func emptyValue(of type: String) -> String? {
        if type.hasSuffix("?") { return "nil" }
        return type.hasPrefix("[") || type.hasPrefix("Set<") ? "[]" : nil
    }

    /// A variable or property that is often meant where another one stands.
    private static func otherValue(than value: String) -> String? {
        var names = value.components(separatedBy: ".")
        for place in names.indices.reversed() {
            guard let other = otherNames[names[place]] else { continue }
            // Two values of one account have one ID.
            if names.dropFirst(place + 1).first == "id", ["old", "new"].contains(other) { return nil }
            names[place] = other
            return names.joined(separator: ".")
        }
        return nil
    }

    private static let otherNames: [String: String] = {
        let pairs = [
            ("old", "new"), ("before", "after"), ("left", "right"), ("first", "second"), ("source", "target"),
            ("surviving", "absorbed"), ("createdAt", "expiresAt"), ("activeAt", "authenticatedAt"),
            ("displayName", "photoURL"), ("lower", "upper"), ("start", "end"), ("limit", "count"), ("now", "at"),
            ("email", "newEmail"), ("issuer", "subject"), ("access", "refresh"), ("from", "to"),
            ("owner", "account"), ("acting", "session"), ("minimum", "maximum"), ("failures", "inFlight"),
        ]
        return Dictionary(uniqueKeysWithValues: pairs + pairs.map { ($1, $0) })
    }()
}
