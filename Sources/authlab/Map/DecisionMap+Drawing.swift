extension MapCell.Outcome {
    var hue: Theme.Hue {
        switch self {
        case .signsIn: .blue
        case .newAccount: .sky
        case .joins: .green
        case .adopts: .purple
        case .conflict: .orange
        case .secondFactor: .yellow
        case .refused: .red
        }
    }
}

/// The decision map as a picture.
extension DecisionMap {
    static let title = "The decision map"

    var about: String {
        "What happens when something arrives (rows) at an account (columns). "
            + "A cell with two halves differs: \(policies[0].title) above, \(policies.last?.title ?? "") below."
    }

    func svg(_ theme: Theme) -> String {
        var drawing = Drawing(theme)
        let left = 138
        let side = (drawing.width - left - 8) / columns.count
        let top = 92
        let tall = 40
        drawing.text(10, 24, Self.title, size: 17, isBold: true)
        drawing.text(drawing.width - 10, 24, halves, size: 12, .end, color: theme.dim)
        drawing.text(10, 62, "what arrives ↓", size: 12, color: theme.dim)
        drawing.text(10, 46, "what it meets →", size: 12, color: theme.dim)
        for (index, column) in columns.enumerated() {
            let x = left + index * side + side / 2
            drawing.hint(column.about) { drawing in
                for (line, word) in column.heading.enumerated() {
                    drawing.text(x, top - 8 - (column.heading.count - 1 - line) * 14, word, size: 12, .middle)
                }
            }
        }
        for (number, row) in rows.enumerated() {
            let y = top + number * tall
            drawing.hint(row.about) { $0.text(10, y + tall / 2 + 4, row.title, size: 12, isBold: true) }
            for (index, column) in columns.enumerated() {
                draw(row, column, left + index * side, y, side, tall, &drawing)
            }
        }
        drawing.height = legend(top + rows.count * tall + 24, &drawing)
        return drawing.svg(title: Self.title, about: about)
    }

    var halves: String {
        "two halves: \(policies[0].title) above, \(policies.last?.title ?? "") below"
    }

    private func draw(
        _ row: Incoming,
        _ column: MapColumn,
        _ x: Int,
        _ y: Int,
        _ side: Int,
        _ tall: Int,
        _ drawing: inout Drawing
    ) {
        let cells = self[row, column]
        guard let first = cells.first else {
            return drawing.text(x + side / 2, y + tall / 2 + 4, "–", size: 12, .middle, color: drawing.theme.dim)
        }
        let isSame = cells.allSatisfy { $0.word == first.word }
        let shown = isSame ? [first] : cells
        for (index, cell) in shown.enumerated() {
            let part = (tall - 3) / shown.count
            drawing.hint(cell.sentences.joined(separator: "\n")) { drawing in
                let top = y + 1 + index * (part + 1)
                drawing.box(x + 1, top, side - 3, part, cell.outcome.hue, corner: 3)
                drawing.text(x + side / 2, top + part / 2 + 4, cell.word, size: 12, .middle)
            }
        }
    }

    /// What the words mean; returns the height of the whole.
    private func legend(_ top: Int, _ drawing: inout Drawing) -> Int {
        for (index, outcome) in MapCell.Outcome.allCases.enumerated() {
            let x = 10 + index % 2 * 410
            let y = top + index / 2 * 24
            drawing.box(x, y - 14, 62, 19, outcome.hue, corner: 3)
            drawing.text(x + 31, y, outcome.word, size: 12, .middle)
            drawing.text(x + 70, y, outcome.about, size: 12)
        }
        let y = top + MapCell.Outcome.allCases.count / 2 * 24
        drawing.text(451, y, "−1", size: 12, .middle, isBold: true)
        drawing.text(490, y, "so many sign-in methods are removed", size: 12)
        return y + 16
    }
}
