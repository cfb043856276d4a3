internal import AuthCore

/// An attack that was prepared before its victim came, played under both presets.
struct Attack: Sendable {
    /// One order of events: what each person does, and what came of it.
    struct Course: Sendable {
        var title: String?
        /// What happens, and whether Eve or Ann does it.
        let steps: [(isEve: Bool, text: String)]
        let play: @Sendable (Stage) async throws(AuthError) -> Ending
    }

    struct Ending: Sendable {
        /// What became of the victim.
        let ann: String
        /// Whether the attacker reached the victim's account, and in words.
        let eve: (isInside: Bool, words: String)
    }

    let id: String
    let title: String
    let courses: [Course]

    func picture() async throws -> Picture {
        var rows: [Picture.Row] = []
        for course in courses {
            var panels = course.steps.enumerated().map { index, step in
                Picture.Panel(
                    head: "\(index + 1). \(step.isEve ? "Eve" : "Ann")",
                    hue: step.isEve ? .yellow : .sky,
                    lines: [Picture.Line(text: step.text)]
                )
            }
            for named in [NamedPolicy.standard, .firebase] {
                let ending = try await course.play(Stage(named.policy))
                let mark = ending.eve.isInside ? "✗" : "✓"
                panels.append(
                    Picture.Panel(
                        head: "\(mark) .\(named.name)",
                        hue: ending.eve.isInside ? .red : .green,
                        lines: [
                            Picture.Line(text: "Ann \(ending.ann)."), Picture.Line(text: "Eve \(ending.eve.words)."),
                        ],
                        isNext: named.name == NamedPolicy.standard.name
                    )
                )
            }
            rows.append(Picture.Row(title: course.title, panels: panels))
        }
        return Picture(
            title: "\(id): \(title)",
            about: "Eve comes first, Ann comes later. ✓: Eve is kept out.",
            rows: rows
        )
    }
}
