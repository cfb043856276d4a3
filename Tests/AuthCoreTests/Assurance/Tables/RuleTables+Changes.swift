@testable import AuthCore
import Foundation

/// The rules that change the sign-in methods of an account, with all their facts.
extension RuleTables {
    static var changes: [RuleTable] {
        [enrollment]
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
