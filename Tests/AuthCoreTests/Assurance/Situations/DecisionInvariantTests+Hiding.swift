@testable import AuthCore

/// Answers and work that tell who is there.
extension DecisionInvariantTests {
    var flawsOfHiding: [Flaw] {
        let hiding = "I9: nobody can tell who is there"
        let claimed = "unknown GitHub, its address only claimed and verified by another account"
        let signUp = "sign-up with a taken address"
        var concealing = AuthPolicy.pinned
        concealing.concealsSignUp = true
        return [
            Flaw(invariant: hiding, situation: "wrong password") { decided, _ in
                decided.refusal = Refusal(.wrongPassword, .credentialIsWrong)
            },
            // The same error, and a reason beside it.
            Flaw(invariant: hiding, situation: "wrong password") { decided, _ in
                decided.reasons = [.accountIsDisabled, .credentialIsWrong]
            },
            Flaw(invariant: hiding, situation: "fetches the sign-in methods of an address") { decided, _ in
                decided.listed = ["password"]
            },
            Flaw(invariant: hiding, situation: "requests a mail that lists the sign-in methods of an address") {
                decided,
                _ in
                decided.changes.messages = []
            },
            Flaw(invariant: hiding, situation: "requests a password reset, after five") { decided, _ in
                decided.changes.records = []
            },
            Flaw(invariant: hiding, situation: claimed) { decided, situation in
                decided = situation.decided(under: .firebase)
            },
            Flaw(invariant: hiding, situation: claimed) { decided, _ in decided.reasons = [.addressIsFree] },
            Flaw(invariant: hiding, situation: claimed) { decided, _ in decided.looks -= 1 },
            Flaw(invariant: hiding, situation: claimed) { decided, situation in
                decided.changes.reads = situation.scene.accounts.map {
                    Store.AccountRead(id: $0.id, version: $0.version)
                }
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
