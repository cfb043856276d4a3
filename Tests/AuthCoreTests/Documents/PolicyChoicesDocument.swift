import AuthCore
import Foundation

/// The table of every choice of a policy, with its values in both presets.
///
/// The order and the sentences are the article's own. That each sentence is the comment of its choice is checked by
/// what the compiler notes of the comments: see `.ci/documentation`.
enum PolicyChoicesDocument {
    /// The table with today's values: without choices that are gone, and with new ones at the end.
    static func text(after article: [String]) throws -> String {
        let (standard, firebase) = (try choices(of: .standard), try choices(of: .firebase))
        let listed = article.filter { $0.hasPrefix("| `") }.map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (name: cells[0].filter { $0 != "`" }, sentence: cells[1])
        }
        let added = standard.keys.filter { name in !listed.contains { $0.name == name } }.sorted()
        let rows = (listed + added.map { ($0, "…") }).compactMap { name, sentence in
            standard[name].map { "| `\(name)` | \(sentence) | \($0) | \(firebase[name] ?? "–") |" }
        }
        return "| choice | what it decides | `.standard` | `.firebase` |\n|---|---|---|---|\n"
            + rows.joined(separator: "\n") + "\n"
    }

    /// The value of every choice; one in a group has the name of both.
    private static func choices(of policy: AuthPolicy) throws -> [String: String] {
        let stored = ClaimValue(json: Array(try JSONEncoder().encode(policy)))?.objectValue ?? [:]
        return choices(in: policy, stored, prefix: "")
    }

    private static func choices(in part: Any, _ stored: [String: ClaimValue], prefix: String) -> [String: String] {
        var choices: [String: String] = [:]
        for case (let name?, let value) in Mirror(reflecting: part).children {
            guard let json = stored[name] else { continue }
            let mirror = Mirror(reflecting: value)
            let group = mirror.displayStyle == .optional ? mirror.children.first?.value ?? value : value
            if let members = json.objectValue, Mirror(reflecting: group).displayStyle == .struct {
                choices.merge(Self.choices(in: group, members, prefix: "\(name).")) { first, _ in first }
            } else {
                let isDuration = [ObjectIdentifier(Duration.self), ObjectIdentifier(Duration?.self)]
                    .contains(ObjectIdentifier(type(of: value)))
                choices[prefix + name] = shown(json, isDuration)
            }
        }
        return choices
    }

    private static func shown(_ value: ClaimValue, _ isDuration: Bool) -> String {
        if let text = value.stringValue { return "`\(text)`" }
        if let isSet = value.boolValue { return "\(isSet)" }
        if let number = value.numberValue { return isDuration ? time(number) : "\(Int(number))" }
        if let list = value.arrayValue {
            return list.isEmpty
                ? "none" : list.compactMap { $0.stringValue.map { "`\($0)`" } }.sorted().joined(separator: ", ")
        }
        return value["authorities"] == nil ? "none" : "`authorities`"
    }

    private static func time(_ seconds: Double) -> String {
        for (unit, length) in [("day", 86_400.0), ("hour", 3600), ("minute", 60), ("second", 1)] {
            let count = seconds / length
            if count >= 1, count == count.rounded() { return "\(Int(count)) \(unit)\(count == 1 ? "" : "s")" }
        }
        return "\(seconds) seconds"
    }
}
