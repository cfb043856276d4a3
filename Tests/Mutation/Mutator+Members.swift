internal import Foundation

/// For each constant of a type, another one of the same type: the next case of an enumeration, or the next static
/// member.
struct MemberNames {
    /// Only names that mean the same in every type that has them, or that can be replaced by the same name in each.
    private(set) var others: [String: String] = [:]

    /// Reads the declarations of all sources in a folder.
    init(in folder: URL) throws {
        var types: [[String]] = []
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for path in paths.sorted() where path.hasSuffix(".swift") {
            let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            types += Self.types(in: source.components(separatedBy: "\n"))
        }
        for name in Set(types.joined()) {
            let lists = types.filter { $0.contains(name) }
            guard let list = lists.first, let place = list.firstIndex(of: name) else { continue }
            let candidates = list[(place + 1)...] + list[..<place]
            others[name] = candidates.first { other in lists.allSatisfy { $0.contains(other) } }
        }
    }

    /// The names of the constants of each type that is declared or extended in these lines.
    private static func types(in lines: [String]) -> [[String]] {
        var names: [[String]] = []
        for (index, line) in lines.enumerated() {
            guard
                let type = line.firstMatch(of: #/^(\s*)(?:\w+ )*(?:enum|struct|extension) (?:\w+\.)*(\w+)[^{]*\{$/#)
            else { continue }
            var members: [String] = []
            for line in lines[(index + 1)...] {
                if line.hasPrefix(type.1 + "}") { break }
                guard line.prefix(while: { $0 == " " }).count == type.1.count + 4 else { continue }
                if let cases = line.wholeMatch(of: #/\s*case (\w+(?:, \w+)*)(?: = [^,]+)?/#) {
                    members += cases.1.components(separatedBy: ", ")
                } else if let constant = line.firstMatch(of: #/^\s*(?:\w+ )*static let (\w+)(: Self)? = (\w+)[(]/#),
                    constant.2 != nil || ["Self", String(type.2)].contains(String(constant.3))
                {
                    members.append(String(constant.1))
                }
            }
            names.append(members)
        }
        return names
    }
}

extension Mutator {
    /// A line with another constant of the same type.
    static func mutate(membersOf line: String, by names: MemberNames, _ add: (Mutant.Kind) -> Int) -> String {
        let text = line.trimmed
        // What stands in for another fault is not changed as well, and the default of a property may be read once only.
        if text.contains(#/isKept\(\d+\) \?|mutatedRe|^(?:\w+ )*static |^public var /#)
            || text.contains(#/["#@\\]|\b(?:func|init|case|catch|is)\b/#)
        {
            return line
        }
        // More patterns of a `case`.
        if text.hasPrefix("."), text.hasSuffix(":") { return line }
        return line.replacing(#/([(\[ ])\.(\w+)(?![\w(.\[{]| \{)/#) { match in
            guard let other = names.others[String(match.2)], !namesOfTheImpossible.contains(String(match.2)) else {
                return String(match.0)
            }
            return "\(match.1)(isKept(\(add(.swappedMember))) ? .\(match.2) : .\(other))"
        }
    }

    /// What is named where the code cannot come.
    private static var namesOfTheImpossible: Set<String> { ["contradiction", "factsContradict", "internalError"] }
}
