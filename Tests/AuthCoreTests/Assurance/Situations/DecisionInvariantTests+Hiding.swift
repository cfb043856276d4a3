@testable import AuthCore

/// Answers and work that tell who is there.
extension DecisionInvariantTests {
    var flawsOfHiding: [Flaw] {
        let hiding = "I9: nobody can tell who is there"
        let claimed = "GitHub that is unknown, its address only claimed and proven by another"
        let signUp = "sign-up, the address taken"
        var concealing = AuthPolicy.pinned
        concealing.concealsSignUp = true
        return [
            Flaw(invariant: hiding, situation: "password that is wrong") { decided, _ in
                decided.refusal = Refusal(.wrongPassword, .credentialIsWrong)
            },
            // The same error, and a reason beside it.
            Flaw(invariant: hiding, situation: "password that is wrong") { decided, _ in
                decided.reasons = [.accountIsDisabled, .credentialIsWrong]
            },
            Flaw(invariant: hiding, situation: "asks how an address signs in") { decided, _ in
                decided.listed = ["password"]
            },
            Flaw(invariant: hiding, situation: "has it mailed how an address signs in") { decided, _ in
                decided.changes.messages = []
            },
            Flaw(invariant: hiding, situation: "asks for a password reset, after five") { decided, _ in
                decided.changes.records = []
            },
            Flaw(invariant: hiding, situation: claimed) { decided, situation in
                decided = situation.decided(under: .firebase)
            },
            Flaw(invariant: hiding, situation: claimed) { decided, _ in decided.reasons = [.addressIsFree] },
            Flaw(invariant: hiding, situation: claimed) { decided, _ in decided.looks -= 1 },
            Flaw(invariant: hiding, situation: claimed) { decided, situation in
                decided.changes.reads = situation.scene.accounts.map { AccountRead(id: $0.id, version: $0.version) }
            },
            Flaw(invariant: hiding, situation: signUp, policy: concealing) { decided, situation in
                decided = situation.decided(under: .pinned)
            },
            Flaw(invariant: hiding, situation: signUp, policy: concealing) { decided, _ in
                decided.changes.sessions = []
            },
        ]
    }
}
