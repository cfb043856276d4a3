/// The article that lists every reason, made of the comments in the source of `Reason`.
enum ReasonsDocument {
    /// A reason as its source declares it, and the heading under which it stands.
    struct Row {
        let heading: String
        let name: String
        let sentence: String
    }

    static func rows(of source: [String]) -> [Row] {
        var rows: [Row] = []
        var heading = ""
        var comment: [String] = []
        for line in source.map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("// MARK: ") {
                heading = String(line.dropFirst(9))
            } else if line.hasPrefix("/// ") {
                comment.append(String(line.dropFirst(4)))
            } else {
                if let reason = line.firstMatch(of: #/^public static let (\w+) = Reason\(/#) {
                    rows.append(
                        Row(heading: heading, name: String(reason.1), sentence: comment.joined(separator: " "))
                    )
                }
                comment = []
            }
        }
        return rows
    }

    static func text(from source: [String]) -> String {
        var document = """
            # Reasons

            Every reason that a decision can give, in an error or an event.

            ## Overview

            A ``Reason`` is a stable name. The tests keep this list the same as the source that declares the names; where each
            of them is given stands in <doc:HowADecisionIsMade>.

            """
        var heading = ""
        for row in rows(of: source) {
            if row.heading != heading {
                heading = row.heading
                document += "\n## \(heading)\n\n| reason | what it says |\n|---|---|\n"
            }
            document += "| `\(row.name)` | \(row.sentence) |\n"
        }
        return document
    }
}
