/// The article that lists every reason, made of the comments in the source of `Reason`.
enum ReasonsDocument {
    static func text(from source: [String]) -> String {
        var document = """
            # Reasons

            Every reason that a decision can give, in an error or an event.

            ## Overview

            A ``Reason`` is a stable name. The tests keep this list the same as the source that declares the names; where each
            of them is given stands in <doc:HowADecisionIsMade>.

            """
        var comment: [String] = []
        for line in source.map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("// MARK: ") {
                document += "\n## \(line.dropFirst(9))\n\n| reason | what it says |\n|---|---|\n"
            } else if line.hasPrefix("/// ") {
                comment.append(String(line.dropFirst(4)))
            } else {
                if let reason = line.firstMatch(of: #/^public static let (\w+) = Reason\(/#) {
                    document += "| `\(reason.1)` | \(comment.joined(separator: " ")) |\n"
                }
                comment = []
            }
        }
        return document
    }
}
