internal import AuthCore

/// Every choice of a policy with its value in both presets: `authlab matrix`.
struct Matrix: Sendable {
    struct Row: Sendable, Equatable {
        let choice: String
        let firebase: String
        let standard: String
    }

    let rows: [Row]

    init() {
        let firebase = Self.choices(of: AuthPolicy.firebase)
        let standard = Self.choices(of: AuthPolicy.standard)
        rows = zip(firebase, standard).map { Row(choice: $0.name, firebase: $0.value, standard: $1.value) }
    }

    /// One line for each choice; a choice with different values is marked.
    var lines: [String] {
        let all = [Row(choice: "choice", firebase: ".firebase", standard: ".standard")] + rows
        let widths = [all.map(\.choice.count).max() ?? 0, all.map(\.firebase.count).max() ?? 0]
        return all.enumerated().map { index, row in
            let mark = index > 0 && row.firebase != row.standard ? "* " : "  "
            return mark + Self.pad(row.choice, to: widths[0]) + "  " + Self.pad(row.firebase, to: widths[1]) + "  "
                + row.standard
        }
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The choices in the order in which the policy declares them; a group is listed choice by choice.
    private static func choices(of group: Any, named prefix: String = "") -> [(name: String, value: String)] {
        Mirror(reflecting: group).children.flatMap { child -> [(name: String, value: String)] in
            let name = prefix + (child.label ?? "")
            // The service sets this value; it is not a choice.
            if name == "verifiedProviders" { return [] }
            if child.value is AuthPolicy.Lifetimes { return choices(of: child.value, named: name + ".") }
            return [(name, text(of: child.value))]
        }
    }

    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "none"
        case .set:
            let members = mirror.children.map { text(of: $0.value) }.sorted()
            return members.isEmpty ? "none" : members.joined(separator: " ")
        case .struct where !(value is any CustomStringConvertible):
            return mirror.children.map { "\($0.label ?? ""): \(text(of: $0.value))" }.joined(separator: ", ")
        case .enum where !mirror.children.isEmpty:
            return mirror.children.first?.label ?? "\(value)"
        default:
            if let duration = value as? Duration { return String(duration.components.seconds) }
            return "\(value)"
        }
    }
}
