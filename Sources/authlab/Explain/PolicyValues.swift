internal import AuthCore

/// Every choice of a policy and its value, by the policy's own members.
struct PolicyValues: Sendable {
    /// The choices in the order in which the policy declares them; a group is listed choice by choice.
    let rows: [(name: String, value: String)]

    init(_ policy: AuthPolicy) {
        var policy = policy
        // Where nothing is limited, the limits are listed all the same.
        let isLimited = policy.limits != nil
        policy.limits = policy.limits ?? AuthPolicy.AttemptLimits()
        rows = Self.choices(of: policy).map { row in
            row.name.hasPrefix("limits.") && !isLimited ? (row.name, "no limit") : row
        }
    }

    subscript(name: String) -> String? { rows.first { $0.name == name }?.value }

    private static func choices(of group: Any, named prefix: String = "") -> [(name: String, value: String)] {
        Mirror(reflecting: group).children.flatMap { child -> [(name: String, value: String)] in
            let name = prefix + (child.label ?? "")
            // The service sets this value; it is not a choice.
            if name == "verifiedProviders" { return [] }
            let inner = unwrapped(child.value)
            switch inner {
            case is AuthPolicy.Lifetimes, is AuthPolicy.SessionLimits, is AuthPolicy.Delivery,
                is AuthPolicy.AttemptLimits, is AuthPolicy.Recency, is AuthPolicy.PasswordRule:
                return choices(of: inner, named: name + ".")
            default: return [(name, text(of: child.value))]
            }
        }
    }

    private static func unwrapped(_ value: Any) -> Any {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value ?? value : value
    }

    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "none"
        case .set:
            let members = mirror.children.map { text(of: $0.value) }.sorted()
            return members.isEmpty ? "none" : members.joined(separator: " ")
        case .enum where !mirror.children.isEmpty: return mirror.children.first?.label ?? "\(value)"
        default:
            if let duration = value as? Duration { return words(for: duration.components.seconds) }
            if let isOn = value as? Bool { return isOn ? "yes" : "no" }
            return "\(value)"
        }
    }

    private static func words(for seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        for (size, unit) in units where seconds >= size && seconds % size == 0 {
            let count = seconds / size
            return "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return "\(seconds) seconds"
    }
}
