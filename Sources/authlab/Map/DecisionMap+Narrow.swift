/// The decision map for a phone: letters instead of words, numbers instead of headings.
extension DecisionMap {
    func narrowSVG(_ theme: Theme) -> String {
        var drawing = Drawing(theme, width: 390)
        let left = 116
        let side = (drawing.width - left - 6) / columns.count
        let tall = 34
        drawing.text(8, 22, Self.title, size: 16, isBold: true)
        drawing.text(8, 40, halves, size: 12, color: theme.dim)
        let top = 66
        for index in columns.indices {
            drawing.text(left + index * side + side / 2, top - 6, "\(index + 1)", size: 12, .middle, isBold: true)
        }
        for (number, row) in rows.enumerated() {
            let y = top + number * tall
            drawing.text(8, y + tall / 2 + 4, row.title, size: 12)
            for (index, column) in columns.enumerated() {
                let cells = self[row, column]
                let isSame = Set(cells.map(\.outcome)).count == 1
                let shown = isSame ? Array(cells.prefix(1)) : cells
                for (place, cell) in shown.enumerated() {
                    let part = (tall - 3) / shown.count
                    let (x, y) = (left + index * side, y + 1 + place * (part + 1))
                    drawing.box(x + 1, y, side - 2, part, cell.outcome.hue, corner: 3)
                    drawing.text(x + side / 2, y + part / 2 + 4, cell.outcome.letter, size: 12, .middle)
                }
            }
        }
        var y = top + rows.count * tall + 22
        for outcome in MapCell.Outcome.allCases {
            drawing.box(8, y - 13, 22, 17, outcome.hue, corner: 3)
            drawing.text(19, y, outcome.letter, size: 12, .middle)
            drawing.text(38, y, "\(outcome.word): \(outcome.about)", size: 12)
            y += 22
        }
        y += 8
        for (index, column) in columns.enumerated() {
            drawing.text(19, y, "\(index + 1)", size: 12, .middle, isBold: true)
            drawing.text(38, y, column.title, size: 12)
            y += 18
        }
        drawing.height = y
        return drawing.svg(title: Self.title, about: about)
    }
}
