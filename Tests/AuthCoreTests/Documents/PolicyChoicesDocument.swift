import AuthCore
import Foundation

/// The table of every choice of a policy: its comment in the sources, and its values in both presets.
enum PolicyChoicesDocument {
    /// The files that declare choices, and the member of the policy that has them.
    private static let files = [
        ("", "AuthPolicy"), ("recency", "Recency"), ("limits", "AttemptLimits"), ("passwordRule", "PasswordRule"),
        ("lifetimes", "Lifetimes"), ("sessions", "SessionLimits"), ("delivery", "Delivery"),
    ]

    static func text() throws -> String {
        let (standard, firebase) = (try values(of: .standard), try values(of: .firebase))
        var rows: [String] = []
        for (group, file) in files {
            let names = group.isEmpty ? standard.keys : standard[group]?.objectValue?.keys
            let isGroup = { (name: String) in files.contains { $0.0 == name } }
            for choice in try choices(in: file, depth: group.isEmpty ? 4 : 8) where names?.contains(choice.name) == true
            {
                if group.isEmpty, isGroup(choice.name) { continue }
                let value = { (preset: [String: ClaimValue]) -> String in
                    if group.isEmpty { return shown(preset[choice.name], choice.isDuration) }
                    guard let members = preset[group]?.objectValue else { return "–" }
                    return shown(members[choice.name], choice.isDuration)
                }
                let name = group.isEmpty ? choice.name : "\(group).\(choice.name)"
                rows.append("| `\(name)` | \(choice.comment) | \(value(standard)) | \(value(firebase)) |")
            }
        }
        return "| choice | what it decides | `.standard` | `.firebase` |\n|---|---|---|---|\n"
            + rows.joined(separator: "\n") + "\n"
    }

    private static func values(of policy: AuthPolicy) throws -> [String: ClaimValue] {
        ClaimValue(json: Array(try JSONEncoder().encode(policy)))?.objectValue ?? [:]
    }

    private struct Choice {
        let name: String
        let comment: String
        let isDuration: Bool
    }

    /// The public properties of a file at this indentation, each with the first paragraph of its comment.
    private static func choices(in file: String, depth: Int) throws -> [Choice] {
        var found: [Choice] = []
        var comment: [String] = []
        for line in try PackageFiles.lines("Sources/AuthCore/Policy/\(file).swift") {
            let indentation = line.prefix { $0 == " " }.count
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("///") {
                comment.append(String(line.dropFirst(3)).trimmingCharacters(in: .whitespaces))
                continue
            }
            if indentation == depth, let match = line.firstMatch(of: #/^public var ([A-Za-z]+)\b(.*)$/#) {
                let words = comment.prefix { !$0.isEmpty }.joined(separator: " ").replacing("``", with: "`")
                found.append(Choice(name: String(match.1), comment: words, isDuration: match.2.contains("Duration")))
            }
            comment = []
        }
        return found
    }

    private static func shown(_ value: ClaimValue?, _ isDuration: Bool) -> String {
        if let text = value?.stringValue { return "`\(text)`" }
        if let isSet = value?.boolValue { return "\(isSet)" }
        if let number = value?.numberValue { return isDuration ? time(number) : "\(Int(number))" }
        if let list = value?.arrayValue {
            return list.isEmpty
                ? "none" : list.compactMap { $0.stringValue.map { "`\($0)`" } }.sorted().joined(separator: ", ")
        }
        return value?["authorities"] == nil ? "none" : "`authorities`"
    }

    private static func time(_ seconds: Double) -> String {
        for (unit, length) in [("day", 86_400.0), ("hour", 3600), ("minute", 60), ("second", 1)] {
            let count = seconds / length
            if count >= 1, count == count.rounded() { return "\(Int(count)) \(unit)\(count == 1 ? "" : "s")" }
        }
        return "\(seconds) seconds"
    }
}
