@testable import AuthCore

/// A preset with none, one or two of its choices changed.
struct PolicyVariant {
    /// One knob, turned to another setting than the preset's.
    struct Change: Hashable {
        let knob: Int
        let setting: Int
    }

    let preset: PolicyKnob.Preset
    let changes: [Change]
    let decisionContext: DecisionContext
    /// Which of the family's promises it gives.
    let promise: Int
}

/// A preset, every single change of it, and every two changes of different knobs.
struct PolicyFamily {
    let preset: PolicyKnob.Preset
    /// The preset first, then the single changes, then the pairs.
    let variants: [PolicyVariant]
    /// Every single change, in the order of the variants.
    let changes: [PolicyVariant.Change]
    /// The variants as far as invariants may look at them: many differ in nothing that those read.
    let promises: [AuthPolicy]

    init(_ preset: PolicyKnob.Preset, around knobs: [PolicyKnob] = PolicyKnob.all, comingBy provider: ProviderID) {
        var changes: [PolicyVariant.Change] = []
        for (index, knob) in knobs.enumerated() {
            for setting in knob.settings.indices where knob.presets[preset] != setting {
                changes.append(PolicyVariant.Change(knob: index, setting: setting))
            }
        }
        var combinations: [[PolicyVariant.Change]] = [[]] + changes.map { [$0] }
        for (index, first) in changes.enumerated() {
            for second in changes[(index + 1)...] where second.knob != first.knob {
                combinations.append([first, second])
            }
        }
        let policy = { (changes: [PolicyVariant.Change]) in
            var policy = preset.policy
            for change in changes { knobs[change.knob].turn(&policy, change.setting, provider) }
            return policy
        }
        var promises: [[PolicyVariant.Change]] = []
        var places: [[PolicyVariant.Change]: Int] = [:]
        variants = combinations.map { changes in
            let promise = changes.filter { Self.promising.contains(knobs[$0.knob].property) }
            let place = places[promise] ?? promises.count
            if place == promises.count {
                places[promise] = place
                promises.append(promise)
            }
            return PolicyVariant(
                preset: preset,
                changes: changes,
                decisionContext: Scene.decisionContext(by: policy(changes)),
                promise: place
            )
        }
        self.preset = preset
        self.changes = changes
        self.promises = promises.map(policy)
    }

    /// The choices that invariants read; all others are the preset's where they look.
    private static let promising: Set = [
        "accountsPerEmail", "addressTrust", "joining", "passwordReset", "lastMethod", "phoneWithFactors",
        "removedMethod", "recency", "seniority", "customTokensAreRecent", "disabledProviders", "verifiedProviders",
    ]
}

extension PolicyVariant.Change {
    /// The change in words.
    func words(_ knobs: [PolicyKnob]) -> String { "\(knobs[knob].property) \(knobs[knob].settings[setting])" }
}
