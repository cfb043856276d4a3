import AuthCore
import Foundation

/// The table of every choice of a policy: its comment in the sources, and its values in both presets.
enum PolicyChoicesDocument {
    /// The files that declare choices, and the member of the policy that has them.
    private static let files = [
        ("", "AuthPolicy"), ("recency", "Recency"), ("limits", "AttemptLimits"), ("passwordRule", "PasswordRule"),
        ("lifetimes", "AuthPolicy"), ("sessions", "SessionLimits"), ("delivery", "AuthPolicy+Delivery"),
    ]

    static func text() throws -> String {
        let (standard, firebase) = (try values(of: .standard), try values(of: .firebase))
        var rows: [String] = []
        for (group, file) in files {
            let names = group.isEmpty ? standard.keys : (standard[group] as? [String: Any])?.keys
            let isGroup = { (name: String) in files.contains { $0.0 == name } }
            for choice in try choices(in: file) where names?.contains(choice.name) == true {
                if group.isEmpty, isGroup(choice.name) { continue }
                let value = { (preset: [String: Any]) -> String in
                    if group.isEmpty { return shown(preset[choice.name], choice.isDuration) }
                    guard let members = preset[group] as? [String: Any] else { return "–" }
                    return shown(members[choice.name], choice.isDuration)
                }
                let name = group.isEmpty ? choice.name : "\(group).\(choice.name)"
                rows.append("| `\(name)` | \(choice.comment) | \(value(standard)) | \(value(firebase)) |")
            }
        }
        return "| choice | what it decides | `.standard` | `.firebase` |\n|---|---|---|---|\n"
            + rows.joined(separator: "\n") + "\n"
    }

    private static func values(of policy: AuthPolicy) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(policy))
        return object as? [String: Any] ?? [:]
    }

    private struct Choice {
        let name: String
        let comment: String
        let isDuration: Bool
    }

    /// The public properties of a file, each with the first paragraph of its comment.
    private static func choices(in file: String) throws -> [Choice] {
        var found: [Choice] = []
        var comment: [String] = []
        for line in try PackageFiles.lines("Sources/AuthCore/Policy/\(file).swift") {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("///") {
                comment.append(String(line.dropFirst(3)).trimmingCharacters(in: .whitespaces))
                continue
            }
            if let match = line.firstMatch(of: #/^public var ([A-Za-z]+)\b(.*)$/#) {
                let words = comment.prefix { !$0.isEmpty }.joined(separator: " ").replacing("``", with: "`")
                found.append(Choice(name: String(match.1), comment: words, isDuration: match.2.contains("Duration")))
            }
            comment = []
        }
        return found
    }

    private static func shown(_ value: Any?, _ isDuration: Bool) -> String {
        switch value {
        case let text as String: return "`\(text)`"
        case let list as [Any]: return list.isEmpty ? "none" : list.map { "\($0)" }.sorted().joined(separator: ", ")
        case let object as [String: Any]: return "`\(object.keys.sorted().first ?? "")`"
        case let number as NSNumber:
            if isDuration { return time(number.doubleValue) }
            return isBoolean(number) ? "\(number.boolValue)" : "\(number)"
        default: return "none"
        }
    }

    /// Whether the number was written as true or false.
    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    private static func time(_ seconds: Double) -> String {
        for (unit, length) in [("day", 86_400.0), ("hour", 3600), ("minute", 60), ("second", 1)] {
            let count = seconds / length
            if count >= 1, count == count.rounded() { return "\(Int(count)) \(unit)\(count == 1 ? "" : "s")" }
        }
        return "\(seconds) seconds"
    }
}
