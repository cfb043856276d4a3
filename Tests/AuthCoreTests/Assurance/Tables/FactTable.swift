@testable import AuthCore
import XCTest

/// One field of a rule's facts, with all the values it can have.
struct FactColumn<Facts> {
    let name: String
    let values: [String]
    /// What this field is under the two presets, for a choice of the policy; nil for what the world decides.
    let presets: (firebase: Int, standard: Int)?
    let set: (inout Facts, Int) -> Void

    /// A field that is yes or no.
    static func flag(_ name: String, _ path: WritableKeyPath<Facts, Bool>) -> FactColumn {
        FactColumn(name: name, values: ["no", "yes"], presets: nil) { $0[keyPath: path] = $1 == 1 }
    }

    /// A field with named values.
    static func of<Value: CaseIterable>(_ name: String, _ path: WritableKeyPath<Facts, Value>) -> FactColumn {
        let all = Array(Value.allCases)
        return FactColumn(name: name, values: all.map { "\($0)" }, presets: nil) { $0[keyPath: path] = all[$1] }
    }

    /// A choice of the policy, with what the presets choose.
    static func knob<Value: CaseIterable & Equatable>(
        _ name: String,
        _ path: WritableKeyPath<Facts, Value>,
        firebase: Value,
        standard: Value
    ) -> FactColumn {
        let all = Array(Value.allCases)
        let presets = (all.firstIndex(of: firebase) ?? 0, all.firstIndex(of: standard) ?? 0)
        return FactColumn(name: name, values: all.map { "\($0)" }, presets: presets) { $0[keyPath: path] = all[$1] }
    }

    /// A choice of the policy that is yes or no.
    static func switchable(
        _ name: String,
        _ path: WritableKeyPath<Facts, Bool>,
        firebase: Bool,
        standard: Bool
    ) -> FactColumn {
        FactColumn(name: name, values: ["no", "yes"], presets: (firebase ? 1 : 0, standard ? 1 : 0)) {
            $0[keyPath: path] = $1 == 1
        }
    }
}

/// What a rule answers, as the tables look at it.
struct Answer {
    let text: String
    /// Whether something is granted.
    let isGranted: Bool
    /// The reason of a refusal or conflict.
    let reason: Reason?

    static func granted(_ text: String) -> Answer { Answer(text: text, isGranted: true, reason: nil) }
    static func refused(_ code: AuthErrorCode, _ reason: Reason) -> Answer {
        Answer(text: "\(code), \(reason)", isGranted: false, reason: reason)
    }
    static let challenge = Answer.refused(.secondFactorRequired, .secondFactorIsRequired)

    /// The answer of a rule, which throws a refusal.
    static func of(_ rule: () throws(Refusal) -> Answer) -> Answer {
        do throws(Refusal) {
            return try rule()
        } catch {
            return .refused(error.code, error.reason)
        }
    }
}

/// A rule with every combination of its facts: under both presets, and with every pair of the policy's choices changed.
struct RuleTable {
    let name: String
    let columns: [String]
    let values: [[String]]
    let rows: [(cells: [Int], answer: Answer)]
    /// What every row violates of what must hold.
    let violations: [String]

    init<Facts>(
        _ name: String,
        _ base: Facts,
        _ columns: [FactColumn<Facts>],
        where isPossible: (Facts) -> Bool = { _ in true },
        must: (Facts, Answer) -> String? = { _, _ in nil },
        rule: (Facts) throws(Refusal) -> Answer
    ) {
        self.name = name
        self.columns = columns.map(\.name)
        values = columns.map(\.values)
        var rows: [(cells: [Int], answer: Answer)] = []
        var violations: [String] = []
        for cells in Self.combinations(columns) {
            var facts = base
            // The pairs of a sequence would take most of the time of an unoptimized build.
            for place in cells.indices { columns[place].set(&facts, cells[place]) }
            guard isPossible(facts) else { continue }
            let answer = Answer.of { () throws(Refusal) in try rule(facts) }
            if let violation = must(facts, answer) { violations.append("\(name): \(violation): \(facts)") }
            rows.append((cells, answer))
        }
        self.rows = rows
        self.violations = violations
    }

    /// All values of the facts, crossed with those settings of the knobs that differ from a preset in two at most.
    private static func combinations<Facts>(_ columns: [FactColumn<Facts>]) -> [[Int]] {
        var all: [[Int]] = []
        var cells = Array(repeating: 0, count: columns.count)
        func fill(_ place: Int, _ fromFirebase: Int, _ fromStandard: Int) {
            guard place < columns.count else {
                all.append(cells)
                return
            }
            for value in columns[place].values.indices {
                cells[place] = value
                guard let presets = columns[place].presets else {
                    fill(place + 1, fromFirebase, fromStandard)
                    continue
                }
                let (left, right) = (
                    fromFirebase + (presets.firebase == value ? 0 : 1),
                    fromStandard + (presets.standard == value ? 0 : 1)
                )
                if left <= 2 || right <= 2 { fill(place + 1, left, right) }
            }
        }
        fill(0, 0, 0)
        return all
    }

    /// Every row in full, for the digest.
    var fullText: String {
        rows.map { row in
            zip(values, row.cells).map { $0[$1] }.joined(separator: " ") + " -> " + row.answer.text
        }.joined(separator: "\n")
    }

    /// The rows with those folded together that differ only in what does not matter.
    var folded: [String] {
        fold(Array(rows.indices), from: 0).map { line in
            let cells = line.conditions.map { "\(columns[$0.column]) \($0.values)" }.joined(separator: ", ")
            return (cells.isEmpty ? "always" : cells) + " -> " + line.answer
        }
    }

    private struct Condition: Hashable {
        let column: Int
        let values: String
    }

    private struct Line: Hashable {
        var conditions: [Condition]
        let answer: String
    }

    private func fold(_ indices: [Int], from column: Int) -> [Line] {
        let answers = Set(indices.map { rows[$0].answer.text })
        if answers.count == 1, let answer = answers.first { return [Line(conditions: [], answer: answer)] }
        guard column < columns.count else { return answers.sorted().map { Line(conditions: [], answer: $0) } }
        let groups = Dictionary(grouping: indices) { rows[$0].cells[column] }
        var parts: [(values: [Int], lines: [Line])] = []
        for value in groups.keys.sorted() {
            let lines = fold(groups[value] ?? [], from: column + 1)
            if let index = parts.firstIndex(where: { $0.lines == lines }) {
                parts[index].values.append(value)
            } else {
                parts.append(([value], lines))
            }
        }
        if parts.count == 1 { return parts[0].lines }
        return parts.flatMap { part in
            let names = part.values.map { values[column][$0] }.joined(separator: "|")
            return part.lines.map { line in
                Line(conditions: [Condition(column: column, values: names)] + line.conditions, answer: line.answer)
            }
        }
    }
}
