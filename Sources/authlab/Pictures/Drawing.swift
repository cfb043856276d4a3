/// A drawing of boxes, words and arrows, as SVG.
struct Drawing: Sendable {
    let theme: Theme
    let width: Int
    var height = 0
    private var shapes: [String] = []

    static let font = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"

    init(_ theme: Theme, width: Int = 830) {
        self.theme = theme
        self.width = width
    }

    /// Where a text stands about its point.
    enum Anchor: String, Sendable {
        case start, middle, end
    }

    mutating func box(
        _ x: Int,
        _ y: Int,
        _ width: Int,
        _ height: Int,
        _ hue: Theme.Hue? = nil,
        corner: Int = 4,
        isDashed: Bool = false
    ) {
        let fill = hue.map { theme.fill($0) } ?? theme.panel
        let stroke = hue.map { theme.stroke($0) } ?? theme.line
        let dash = isDashed ? #" stroke-dasharray="4 3""# : ""
        shapes.append(
            #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" rx="\#(corner)" fill="\#(fill)" "#
                + #"stroke="\#(stroke)"\#(dash)/>"#
        )
    }

    mutating func text(
        _ x: Int,
        _ y: Int,
        _ text: String,
        size: Int = 13,
        _ anchor: Anchor = .start,
        isBold: Bool = false,
        color: String? = nil
    ) {
        let weight = isBold ? #" font-weight="600""# : ""
        let anchored = anchor == .start ? "" : #" text-anchor="\#(anchor)""#
        shapes.append(
            #"<text x="\#(x)" y="\#(y)" font-size="\#(size)" fill="\#(color ?? theme.ink)"\#(weight)\#(anchored)>"#
                + Self.escaped(text) + "</text>"
        )
    }

    /// A text in lines that fit a width; returns the height that it takes.
    @discardableResult
    mutating func paragraph(
        _ x: Int,
        _ y: Int,
        _ width: Int,
        _ text: String,
        size: Int = 13,
        _ anchor: Anchor = .start,
        isBold: Bool = false,
        color: String? = nil
    ) -> Int {
        let lines = Self.lines(text, width: width, size: size, isBold: isBold)
        for (index, line) in lines.enumerated() {
            self.text(x, y + index * Self.leading(size), line, size: size, anchor, isBold: isBold, color: color)
        }
        return lines.count * Self.leading(size)
    }

    mutating func arrow(_ x: Int, _ y: Int, _ toX: Int, _ toY: Int) {
        shapes.append(
            #"<path d="M\#(x) \#(y)L\#(toX) \#(toY)" stroke="\#(theme.line)" stroke-width="1.6" fill="none" "#
                + #"marker-end="url(#head)"/>"#
        )
    }

    /// A shape with a text that shows when the pointer rests on it.
    mutating func hint(_ text: String, _ draw: (inout Drawing) -> Void) {
        shapes.append("<g><title>\(Self.escaped(text))</title>")
        draw(&self)
        shapes.append("</g>")
    }

    static func leading(_ size: Int) -> Int { size + size / 3 }

    /// The lines of a text, by what a letter of the usual fonts takes.
    static func lines(_ text: String, width: Int, size: Int, isBold: Bool = false) -> [String] {
        let limit = max(4, Int(Double(width) / (Double(size) * (isBold ? 0.62 : 0.56))))
        return Columns.lines(text, width: limit).flatMap { broken($0, limit) }
    }

    /// The parts of a line that is one long name, broken before capitals.
    private static func broken(_ line: String, _ limit: Int) -> [String] {
        guard line.count > limit else { return [line] }
        let head = line.prefix(limit)
        guard let cut = head.dropFirst().lastIndex(where: \.isUppercase) else { return [line] }
        return [String(line[..<cut])] + broken(String(line[cut...]), limit)
    }

    /// The whole file.
    func svg(title: String, about: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
        role="img" aria-labelledby="title about" font-family="\(Self.font)">
        <title id="title">\(Self.escaped(title))</title>
        <desc id="about">\(Self.escaped(about))</desc>
        <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
        <path d="M0 0L8 4L0 8z" fill="\(theme.line)"/></marker></defs>
        <rect width="\(width)" height="\(height)" rx="6" fill="\(theme.background)"/>
        \(shapes.joined(separator: "\n"))
        </svg>

        """
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
