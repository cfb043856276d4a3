/// Text that fits a width.
enum Columns {
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The lines of a text, broken between words.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + [line]
    }

    /// A text in lines that begin with these.
    static func wrapped(_ text: String, first: String = "", rest: String = "", width: Int) -> String {
        lines(text, width: width - max(first.count, rest.count)).enumerated()
            .map { ($0 == 0 ? first : rest) + $1 }.joined(separator: "\n")
    }

    /// Names and what they mean, the meanings below each other.
    static func list(_ rows: [(String, String)], width: Int) -> String {
        let indent = min((rows.map(\.0.count).max() ?? 0) + 4, width / 2)
        let space = String(repeating: " ", count: indent)
        return rows.map { name, text in
            let head = "  " + name
            if head.count + 2 > indent { return head + "\n" + wrapped(text, first: space, rest: space, width: width) }
            return wrapped(text, first: pad(head, to: indent), rest: space, width: width)
        }.joined(separator: "\n")
    }
}
