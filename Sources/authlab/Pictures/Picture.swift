/// A picture of rows of panels, as in a comic strip.
struct Picture: Sendable {
    /// One box of an account as it is at that moment.
    struct AccountBox: Sendable {
        let name: String
        let lines: [Line]
        var isGone = false
    }

    /// A line of text; a mark says without color what the color says.
    struct Line: Sendable {
        let text: String
        var hue: Theme.Hue?
    }

    struct Panel: Sendable {
        let head: String
        var hue: Theme.Hue?
        var lines: [Line] = []
        var accounts: [AccountBox] = []
        /// Whether it follows from the panel before it.
        var isNext = true
    }

    struct Row: Sendable {
        var title: String?
        let panels: [Panel]
    }

    let title: String
    let about: String
    let rows: [Row]
}

extension Picture {
    private static let margin = 10
    private static let gap = 16
    private static let inset = 9

    func svg(_ theme: Theme) -> String {
        var drawing = Drawing(theme)
        drawing.text(Self.margin, 24, title, size: 17, isBold: true)
        var y = 24 + drawing.paragraph(Self.margin, 44, 800, about, size: 12, color: theme.dim) + 14
        for row in rows {
            if let title = row.title {
                y += 14
                drawing.text(Self.margin, y, title, size: 13, isBold: true)
                y += 8
            }
            y += Self.draw(row, at: y, &drawing) + Self.gap
        }
        drawing.height = y
        return drawing.svg(title: title, about: words)
    }

    /// Everything that the picture says, for a screen reader.
    private var words: String {
        let panels = rows.flatMap { row in
            [row.title].compactMap(\.self)
                + row.panels.map { panel in
                    let accounts = panel.accounts.map { "\($0.name): \($0.lines.map(\.text).joined(separator: ", "))" }
                    return ([panel.head] + panel.lines.map(\.text) + accounts).joined(separator: "; ")
                }
        }
        return ([about] + panels).joined(separator: "\n")
    }

    /// Draws the panels of a row at one height; returns that height.
    private static func draw(_ row: Row, at y: Int, _ drawing: inout Drawing) -> Int {
        let count = row.panels.count
        let width = (drawing.width - 2 * margin - (count - 1) * gap) / count
        var measure = drawing
        let tall = row.panels.map { draw($0, margin, y, width, 0, &measure) }.max() ?? 0
        for (index, panel) in row.panels.enumerated() {
            let x = margin + index * (width + gap)
            drawing.box(x, y, width, tall, panel.hue, corner: 6)
            _ = draw(panel, x, y, width, tall, &drawing)
            if panel.isNext, index > 0 { drawing.arrow(x - gap + 1, y + tall / 2, x - 2, y + tall / 2) }
        }
        return tall
    }

    /// Draws what is in a panel; returns the height that it needs.
    private static func draw(
        _ panel: Panel,
        _ x: Int,
        _ top: Int,
        _ width: Int,
        _ tall: Int,
        _ drawing: inout Drawing
    ) -> Int {
        let inner = width - 2 * inset
        var y = top + 20
        y += drawing.paragraph(x + inset, y, inner, panel.head, size: 13, isBold: true) + 2
        for line in panel.lines {
            let color = line.hue.map { drawing.theme.stroke($0) }
            y += drawing.paragraph(x + inset, y, inner, line.text, size: 12, isBold: line.hue != nil, color: color) + 3
        }
        for account in panel.accounts {
            let height = 24 + account.lines.reduce(0) { $0 + Self.height($1, inner - 16) }
            drawing.box(x + inset, y - 8, inner, height, account.isGone ? nil : .gray, isDashed: account.isGone)
            var line = y + 7
            drawing.text(x + inset + 8, line, account.name, size: 12, isBold: true)
            for entry in account.lines {
                line += 16
                let color = entry.hue.map { drawing.theme.stroke($0) }
                line += drawing.paragraph(x + inset + 8, line, inner - 16, entry.text, size: 12, color: color) - 16
            }
            y += height + 8
        }
        return y - top - 4
    }

    private static func height(_ line: Line, _ width: Int) -> Int {
        Drawing.lines(line.text, width: width, size: 12).count * Drawing.leading(12)
    }
}
