/// One line of the tour, before its layout.
enum Narration: Sendable, Hashable {
    /// The number and title of a scene, and its policy.
    case title(Int, String, policy: String)
    /// What the scene is about, or what happens between two calls.
    case aside(String)
    /// An empty line.
    case pause
    /// A call, as an app would write it.
    case call(String)
    /// An expectation that was met.
    case fact(String)
    /// An expected refusal.
    case refusal(String)
    /// A property of an account as it is now: a label and a value.
    case state(String, String)
    /// An expectation that was not met.
    case failure(String)
}

/// Formats the tour for a terminal.
struct NarrationLayout: Sendable {
    /// Whether the terminal shows colors.
    var isColored = false
    var width = 96

    func text(of line: Narration) -> String {
        switch line {
        case .title(let number, let title, let policy):
            let head = Columns.wrapped("\(number). \(title)", first: "══ ", rest: "   ", width: width)
            let tail = " ══ .\(policy) ══"
            let last = head.split(separator: "\n").last?.count ?? 0
            return bold(head + (last + tail.count <= width ? tail : "\n  " + tail)) + "\n"
        case .pause: return ""
        case .aside(let text): return wrapped(text, first: "  ", rest: "  ")
        case .call(let code): return "\n" + bold(wrapped(code, first: "  › ", rest: "      "))
        case .fact(let text): return green(wrapped(text, first: "    ✓ ", rest: "      "))
        case .refusal(let text): return yellow(wrapped(text, first: "    ⊘ ", rest: "      "))
        case .failure(let text): return red(wrapped(text, first: "    ✗ NOT SO: ", rest: "      "))
        case .state(let label, let value):
            let padded = label + String(repeating: " ", count: max(0, 9 - label.count))
            return dim(wrapped(value, first: "    │ \(padded) ", rest: "    │           "))
        }
    }

    private func wrapped(_ text: String, first: String, rest: String) -> String {
        Columns.wrapped(text, first: first, rest: rest, width: width)
    }

    private func bold(_ text: String) -> String { styled(text, "1") }
    private func dim(_ text: String) -> String { styled(text, "2") }
    private func green(_ text: String) -> String { styled(text, "32") }
    private func yellow(_ text: String) -> String { styled(text, "33") }
    private func red(_ text: String) -> String { styled(text, "1;31") }

    private func styled(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
