@testable import AuthCore

/// The rules of merging, with all their facts.
extension RuleTables {
    static var merging: [RuleTable] { [mergeConditions, completeMerge, undoMerge] }

    private static var mergeConditions: RuleTable {
        RuleTable(
            "MergeFacts",
            MergeFacts(
                isSameAccount: false,
                isTargetAnonymous: false,
                isProvisional: false,
                isChoiceOffered: true,
                isAddressReversible: false,
                isFactorStranded: false,
                moving: .everything,
                isLastMethod: false,
                lastMethod: .kept
            ),
            [
                .flag("same account", \.isSameAccount), .flag("target anonymous", \.isTargetAnonymous),
                .flag("provisional", \.isProvisional), .flag("choice offered", \.isChoiceOffered),
                .flag("address contestable", \.isAddressReversible), .flag("factor stranded", \.isFactorStranded),
                .of("moving", \.moving), .flag("last method", \.isLastMethod),
                .knob("last method", \.lastMethod, firebase: .removable, standard: .kept),
            ],
            must: { facts, answer in
                guard answer.isGranted else { return nil }
                if facts.isSameAccount || facts.isTargetAnonymous || facts.isProvisional {
                    return "accounts merge that are not two of one person"
                }
                if facts.moving == .everything && facts.isAddressReversible { return "a recovery is buried" }
                if facts.isFactorStranded { return "a factor comes to an account without a verified address" }
                return facts.isLastMethod && facts.lastMethod == .kept ? "the last sign-in method goes" : nil
            }
        ) { facts throws(Refusal) in
            try MergeFacts.rule(facts)
            return .granted("merge")
        }
    }

    private static var completeMerge: RuleTable {
        let phases: [MergeIntent.Phase?] = [nil, .preparing, .prepared, .committed, .aborted, .undone]
        let names = phases.map { $0?.rawValue ?? "over" }
        return RuleTable(
            "CompleteMerge",
            CompleteMerge.Facts(phase: .prepared, isAsBegun: true, isDisabled: false),
            [
                FactColumn(name: "phase", values: names, presets: nil) { $0.phase = phases[$1] },
                .flag("as begun", \.isAsBegun), .flag("disabled", \.isDisabled),
            ],
            must: { facts, answer in
                answer.text == "carry out" && (facts.phase != .prepared || !facts.isAsBegun || facts.isDisabled)
                    ? "a merge is carried out that hooks did not prepare" : nil
            }
        ) { facts throws(Refusal) in
            switch try CompleteMerge.rule(facts) {
            case .carryOut: .granted("carry out")
            case .isDone: .granted("done by others")
            }
        }
    }

    private static var undoMerge: RuleTable {
        RuleTable(
            "UndoMerge",
            UndoMerge.Facts(
                isUnderWay: false,
                isLocked: false,
                isFromBefore: true,
                isDisabled: false,
                returnsMethod: true,
                isFactorStranded: false,
                isLastMethod: false,
                lastMethod: .kept
            ),
            [
                .flag("under way", \.isUnderWay), .flag("held", \.isLocked), .flag("from before", \.isFromBefore),
                .flag("disabled", \.isDisabled), .flag("returns a sign-in method", \.returnsMethod),
                .flag("factor stranded", \.isFactorStranded), .flag("last method", \.isLastMethod),
                .knob("last method", \.lastMethod, firebase: .removable, standard: .kept),
            ],
            must: { facts, answer in
                guard answer.isGranted else { return nil }
                if !facts.isFromBefore || !facts.returnsMethod {
                    return "another person undoes a merge, or nothing returns"
                }
                if facts.isDisabled { return "a disabled account is changed" }
                if facts.isFactorStranded { return "a lost factor could not be recovered" }
                return facts.isLastMethod && facts.lastMethod == .kept ? "the last sign-in method goes" : nil
            }
        ) { facts throws(Refusal) in
            try UndoMerge.rule(facts)
            return .granted("undo")
        }
    }
}
