import AuthCore

/// The article that lists every reason, made of what each of them says of itself.
enum ReasonsDocument {
    static var text: String {
        let rows = Reason.all.sorted { $0.rawValue < $1.rawValue }.map { "| `\($0)` | \($0.explanation) |" }
        return """
            # Reasons

            Every reason that a decision can give, in an error or an event.

            ## Overview

            A ``Reason`` is a stable name. `authlab explain NAME` prints the same sentence.

            | reason | what it says |
            |---|---|
            \(rows.joined(separator: "\n"))

            """
    }
}
