/// The decision map for a terminal, and for a page of Markdown.
extension DecisionMap {
    /// A table for each block of columns that fits the width, and what its words mean.
    func lines(_ terminal: Terminal) -> [String] {
        let labels = rows.map(\.title.count).max() ?? 0
        let policyNames = policies.map(\.title)
        let names = policyNames.map(\.count).max() ?? 0
        let side = 11
        let perBlock = max(1, (terminal.width - labels - names - 4) / side)
        var lines: [String] = []
        for start in stride(from: 0, to: columns.count, by: perBlock) {
            let block = columns[start..<min(start + perBlock, columns.count)]
            let height = block.map(\.heading.count).max() ?? 0
            for line in 0..<height {
                let words = block.map { column in
                    let place = line - (height - column.heading.count)
                    return Columns.pad(place < 0 ? "" : column.heading[place], to: side)
                }
                lines.append(Self.trimmed(Columns.pad("", to: labels + names + 4) + words.joined()))
            }
            for row in rows {
                for (index, name) in policyNames.enumerated() {
                    let words = block.map { column -> String in
                        guard let cell = cell(row, column, index) else { return Columns.pad("–", to: side) }
                        let mark = index > 0 && differs(row, column) ? "*" : ""
                        return Columns.pad(cell.word + mark, to: side)
                    }
                    let label = Columns.pad(index == 0 ? row.title : "", to: labels)
                    lines.append(Self.trimmed("\(label)  \(Columns.pad(name, to: names))  \(words.joined())"))
                }
            }
            lines.append("")
        }
        let meanings =
            MapCell.Outcome.allCases.map { ($0.word, $0.about) } + [
                ("−1", "so many sign-in methods are removed"), ("*", "another answer or another reason than above"),
                ("–", "the question makes no sense"),
            ]
        lines.append(Columns.list(meanings, width: terminal.width))
        return lines
    }

    /// Two tables for a page: what happens, and why.
    var markdown: String {
        let names = policies.map { "`\($0.title)`" }.joined(separator: " / ")
        func table(_ text: (MapCell) -> String) -> String {
            let head = "| what arrives | " + columns.map(\.title).joined(separator: " | ") + " |"
            let body = rows.map { row in
                let cells = columns.map { column -> String in
                    let texts = self[row, column].map(text)
                    guard let first = texts.first else { return "–" }
                    return texts.allSatisfy { $0 == first } ? first : "**" + texts.joined(separator: " / ") + "**"
                }
                return "| \(row.title) | " + cells.joined(separator: " | ") + " |"
            }
            return ([head, "|" + String(repeating: "---|", count: columns.count + 1)] + body)
                .joined(separator: "\n")
        }
        let words = MapCell.Outcome.allCases.map { "- \($0.word): \($0.about)" }.joined(separator: "\n")
        return """
            # The decision map

            Rows: what arrives. Columns: the account it meets. Where the policies differ: \(names).

            \(table(\.word))

            \(words)
            - −1: so many sign-in methods are removed

            ## Why

            \(table { $0.reason.map { "`\($0)`" } ?? "" })

            """
    }

    private func cell(_ row: Incoming, _ column: MapColumn, _ policy: Int) -> MapCell? {
        let cells = self[row, column]
        return policy < cells.count ? cells[policy] : nil
    }

    private static func trimmed(_ text: String) -> String {
        String(text.reversed().drop { $0 == " " }.reversed())
    }
}
