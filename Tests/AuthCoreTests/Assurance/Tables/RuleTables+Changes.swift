@testable import AuthCore
import Foundation

/// The rules that change the sign-in methods of an account, with all their facts.
extension RuleTables {
    static var changes: [RuleTable] {
        [unlink, replace, enrollment]
    }

    private static var unlink: RuleTable {
        RuleTable(
            "Unlink",
            Unlink.Facts(isLinked: false, isLastMethod: false, lastMethod: .removable),
            [
                .flag("linked", \.isLinked), .flag("last", \.isLastMethod),
                .knob("last method", \.lastMethod, firebase: .removable, standard: .kept),
            ],
            must: { facts, answer in
                answer.isGranted && facts.isLastMethod && facts.lastMethod == .kept
                    ? "the last sign-in method goes" : nil
            }
        ) { facts throws(Refusal) in
            try Unlink.rule(facts)
            return .granted("unlink")
        }
    }

    private static var replace: RuleTable {
        RuleTable(
            "ReplaceMethod",
            ReplaceMethod.Facts(isLinked: false, addsIfMissing: false, isTheSame: false, isConfirmation: false),
            [
                .flag("same", \.isTheSame), .flag("confirmation", \.isConfirmation), .flag("linked", \.isLinked),
                .flag("adds if missing", \.addsIfMissing),
            ]
        ) { facts throws(Refusal) in
            switch try ReplaceMethod.rule(facts) {
            case .replace: .granted("replace")
            case .add: .granted("add")
            }
        }
    }

    private static var enrollment: RuleTable {
        let account = Account(id: "a", createdAt: .distantPast)
        let session = Session(
            id: SessionID(bits: 1),
            account: account.id,
            sessionGeneration: 0,
            basis: .anonymous,
            at: .distantPast,
            device: nil,
            origin: nil,
            deviceName: nil
        )
        return RuleTable(
            "EnrollmentFacts",
            EnrollmentFacts(
                ActingSession(
                    reference: AccountReference(account),
                    session: session,
                    seen: Snapshot([]) { _ in .nothing }
                ),
                number: nil,
                under: .firebase
            ),
            [
                .flag("session eligible", \.isSessionEligible), .flag("address verified", \.isAddressVerified),
                .flag("number enrolled", \.isNumberEnrolled), .flag("number signs in", \.isSignInNumber),
                .flag("limit reached", \.isLimitReached), .flag("factor missing", \.isFactorMissing),
            ],
            must: { facts, answer in
                answer.isGranted && (!facts.isAddressVerified || facts.isFactorMissing || !facts.isSessionEligible)
                    ? "a factor without an address to recover it by, or without the one there is" : nil
            }
        ) { facts throws(Refusal) in
            try facts.check()
            return .granted("enrol")
        }
    }
}
