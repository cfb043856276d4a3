@testable import AuthCore
import Foundation

/// One situation with what is decided of it under every policy.
struct DecisionTable {
    let situation: Situation
    /// Every different decision, in the order in which they appear.
    private(set) var decisions: [Decided] = []
    /// Which decision each variant of each family leads to.
    private(set) var rows: [(family: PolicyFamily, decisions: [Int])] = []
    /// What must not be, in words.
    private(set) var violations: [String] = []

    init(_ situation: Situation, under families: [PolicyFamily], _ knobs: [PolicyKnob]) {
        self.situation = situation
        let invariants = DecisionInvariant.all
        var places: [Decided: Int] = [:]
        var missingPlaces: [Decided: Int] = [:]
        for family in families {
            // An invariant reads a decision and a promise; where both were seen there is nothing new to see.
            var seen: Set<[Int]> = []
            var row: [Int] = []
            var alone: [PolicyVariant.Change: Int] = [:]
            for variant in family.variants {
                let decided = situation.decided(variant.decisionContext)
                // Most policies decide as the preset does, or as one of their changes does alone.
                let likely = (row.prefix(1) + variant.changes.compactMap { alone[$0] }).first {
                    decisions[$0] == decided
                }
                let place = likely ?? places[decided] ?? decisions.count
                let isNew = place == decisions.count
                if isNew {
                    places[decided] = place
                    decisions.append(decided)
                }
                if variant.changes.count == 1 { alone[variant.changes[0]] = place }
                row.append(place)
                var found: [String] = []
                // What two changes decide as others did was already decided twice.
                if isNew || variant.changes.count < 2, situation.decided(variant.decisionContext) != decided {
                    found.append("I7: it is decided otherwise again")
                }
                let missing = situation.decidedWithout(variant.decisionContext)
                let missingPlace = missing.map { missing in
                    let place = missingPlaces[missing] ?? missingPlaces.count
                    missingPlaces[missing] = place
                    return place
                }
                if seen.insert([place, variant.promise, missingPlace ?? -1]).inserted {
                    let trial = Trial(situation, family.promises[variant.promise], decided, missing: missing)
                    for invariant in invariants where isNew || invariant.isOfPolicy {
                        if let violation = invariant.violation(trial) {
                            found.append("\(invariant.name): \(violation)")
                        }
                    }
                }
                if found.isEmpty { continue }
                let policy = ([family.preset.rawValue] + variant.changes.map { $0.words(knobs) })
                    .joined(separator: ", ")
                violations += found.map { "\(situation.name), \(policy): \($0)" }
            }
            rows.append((family, row))
        }
    }

    /// The single changes of a preset that make a difference.
    func effectiveChanges(_ knobs: [PolicyKnob]) -> [[String]] {
        rows.flatMap { family, decisions in
            zip(family.variants, decisions)
                .filter { variant, decision in variant.changes.count == 1 && decision != decisions[0] }
                .map { [family.preset.rawValue] + $0.0.changes.map { $0.words(knobs) } }
        }
    }

    /// How many decisions there are, the same or not.
    var count: Int { rows.map(\.decisions.count).reduce(0, +) }

    /// Sixty-four bits of every decision in every part, in the order of the policies.
    func digest() throws -> String {
        var print = Fingerprint()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for decided in decisions {
            print.add(decided.outcome)
            print.add(json: Array(try encoder.encode(decided.changes)))
        }
        for row in rows { print.add(row.decisions.map(String.init).joined(separator: " ")) }
        return print.text
    }
}

/// The table as a person reviews it: what the presets decide, which single changes of them decide otherwise, and which
/// pairs of changes do what neither does alone.
extension DecisionTable {
    func lines(_ knobs: [PolicyKnob]) -> [String] {
        let words = decisions.map { DecisionWords($0, in: situation.scene) }
        return rows.flatMap { family, row in lines(family, row, words, knobs) }
    }

    private func lines(
        _ family: PolicyFamily,
        _ row: [Int],
        _ words: [DecisionWords],
        _ knobs: [PolicyKnob]
    ) -> [String] {
        let name = family.preset.rawValue
        var lines = ["\(name) -> \(words[row[0]].line)"]
        var singles: [PolicyVariant.Change: Int] = [:]
        var alone: [(decision: Int, names: [String])] = []
        var together: [(decision: Int, first: String, names: [String])] = []
        for (variant, decision) in zip(family.variants, row) where decision != row[0] || variant.changes.count == 1 {
            let changes = variant.changes
            if changes.count == 1 {
                singles[changes[0]] = decision
                if decision == row[0] { continue }
                let name = changes[0].words(knobs)
                if let place = alone.firstIndex(where: { $0.decision == decision }) {
                    alone[place].names.append(name)
                } else {
                    alone.append((decision, [name]))
                }
            } else if changes.count == 2, let first = singles[changes[0]], let second = singles[changes[1]],
                decision != first, decision != second,
                !words[decision].isSum(of: words[first], and: words[second], over: words[row[0]])
            {
                let (one, other) = (changes[0].words(knobs), changes[1].words(knobs))
                if let place = together.firstIndex(where: { $0.decision == decision && $0.first == one }) {
                    together[place].names.append(other)
                } else {
                    together.append((decision, one, [other]))
                }
            }
        }
        lines += alone.map { "\(name), \($0.names.joined(separator: " | ")) -> \(words[$0.decision].line)" }
        lines += together.map {
            "\(name), \($0.first) with \($0.names.joined(separator: " | ")) -> \(words[$0.decision].line)"
        }
        return lines
    }
}

/// A decision in words, taken apart so that the effects of two changes can be added.
struct DecisionWords {
    private let outcome: String
    private let writes: [String]
    private let pieces: [String: Int]

    init(_ decided: Decided, in scene: Scene) {
        outcome = decided.outcome
        writes = decided.writes(in: scene)
        pieces = Dictionary(([outcome] + writes).map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The decision in a line.
    var line: String { ([outcome] + writes).joined(separator: ", ") }

    /// Whether this is what two changes do, each by itself, to the same decision.
    func isSum(of first: DecisionWords, and second: DecisionWords, over base: DecisionWords) -> Bool {
        let all = Set(pieces.keys).union(first.pieces.keys).union(second.pieces.keys).union(base.pieces.keys)
        return all.allSatisfy { piece in
            let count = { (words: DecisionWords) in words.pieces[piece] ?? 0 }
            let (left, right) = (count(first) - count(base), count(second) - count(base))
            // Two changes that do the same do it once.
            return count(self) == count(base) + (left == right ? left : left + right)
        }
    }
}
