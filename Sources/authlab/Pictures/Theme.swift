/// The colors of a drawing, for a light or a dark page; hues differ in lightness too, so that they can be told apart
/// without seeing color.
struct Theme: Sendable {
    enum Hue: String, Sendable, CaseIterable {
        case blue, sky, green, purple, orange, yellow, red, gray
    }

    let name: String
    let background: String
    let ink: String
    let dim: String
    let line: String
    let panel: String
    private let fills: [Hue: String]
    private let strokes: [Hue: String]

    func fill(_ hue: Hue) -> String { fills[hue] ?? panel }
    func stroke(_ hue: Hue) -> String { strokes[hue] ?? line }

    static let light = Theme(
        name: "light",
        background: "#ffffff",
        ink: "#1f2328",
        dim: "#57606a",
        line: "#8c959f",
        panel: "#f6f8fa",
        fills: [
            .blue: "#cfe3f5", .sky: "#e4f3fc", .green: "#cdeee2", .purple: "#f3dbe9", .orange: "#fbe6c0",
            .yellow: "#fbf7c4", .red: "#f8d6c4", .gray: "#eaeef2",
        ],
        strokes: [
            .blue: "#0060a0", .sky: "#2a8fc4", .green: "#00785a", .purple: "#a14f80", .orange: "#a86b00",
            .yellow: "#8f8500", .red: "#b34700", .gray: "#6e7781",
        ]
    )

    static let dark = Theme(
        name: "dark",
        background: "#0d1117",
        ink: "#f0f3f6",
        dim: "#b7bdc8",
        line: "#7a828e",
        panel: "#161b22",
        fills: [
            .blue: "#0b3d66", .sky: "#12303f", .green: "#0a4637", .purple: "#54243f", .orange: "#553a06",
            .yellow: "#3f3c05", .red: "#5e2708", .gray: "#272b33",
        ],
        strokes: [
            .blue: "#62b0ee", .sky: "#8ad1f5", .green: "#3fcfa5", .purple: "#e6a3c8", .orange: "#f0b042",
            .yellow: "#ece05a", .red: "#f58a52", .gray: "#9ea7b3",
        ]
    )

    static let all = [light, dark]
}
