@testable import AuthCore

/// Accounts that whoever asks must not find out about.
struct Concealment {
    /// The accounts that are there, or are not.
    let accounts: [AccountID]
    /// Whether their person is mailed, which only they see; everybody else is mailed alike.
    var mailsPerson = false
    /// Whether the policy promises that nobody can tell.
    let isPromised: @Sendable (AuthPolicy) -> Bool

    /// What every policy promises.
    static func always(_ account: Account) -> Concealment { Concealment(accounts: [account.id]) { _ in true } }

    /// What is promised where those who verified nothing learn nothing.
    static func uniform(_ account: Account, mailsPerson: Bool = false) -> Concealment {
        Concealment(accounts: [account.id], mailsPerson: mailsPerson) { $0.disclosure == .uniform }
    }

    /// What is promised where signing up tells nobody that an address is taken.
    static func signUp(_ account: Account) -> Concealment {
        Concealment(accounts: [account.id]) { $0.concealsSignUp }
    }

    /// What is promised where an address that is only claimed says nothing about other accounts.
    static func claim(_ account: Account) -> Concealment {
        Concealment(accounts: [account.id]) { policy in
            policy.joining == .whenCovered && policy.addressReservation == .verifiedAddress
        }
    }

    /// What is promised of the same address where it comes with a further sign-in method.
    static func link(_ account: Account) -> Concealment {
        Concealment(accounts: [account.id]) { policy in
            policy.addressTrust != .verifiedFlag && policy.addressReservation == .verifiedAddress
        }
    }
}

extension Scene {
    /// The same as if these accounts had never been there.
    func without(_ hidden: [AccountID]) -> Scene {
        var scene = self
        scene.accounts.removeAll { hidden.contains($0.id) }
        scene.sessions.removeAll { hidden.contains($0.account) }
        scene.records.removeAll { $0.account.map(hidden.contains) ?? false }
        return scene
    }
}

extension DecisionInvariant {
    /// I9: who asks is answered alike, and lets the same work be done, where the accounts are missing.
    static var strangers: DecisionInvariant {
        .promised("I9: nobody can tell who is there") { trial in
            guard let concealment = trial.situation.concealment, let missing = trial.missing else { return nil }
            let (seen, other) = (trial.decided, missing)
            if seen.refusal != other.refusal || seen.told != other.told {
                return "the answer is \(seen.outcome), and without the account \(other.outcome)"
            }
            if seen.looks != other.looks { return "the store is asked \(seen.looks) times, not \(other.looks)" }
            let (made, instead) = (seen.changes, other.changes)
            if made.accounts != instead.accounts || made.sessions != instead.sessions {
                return "who asks ends in another account or session"
            }
            if made.amounts(sparingRevoked: concealment.mailsPerson)
                != instead.amounts(sparingRevoked: concealment.mailsPerson)
            {
                return "another amount is written"
            }
            if concealment.mailsPerson { return nil }
            let (sent, also) = (made.messages, instead.messages)
            return sent.map(\.kind) == also.map(\.kind) && sent.map(\.recipient) == also.map(\.recipient)
                ? nil : "other messages are sent"
        }
    }
}

extension ChangeSet {
    /// How much of each kind is written beside accounts and sessions, a message as much as a record; what gives way to
    /// a mailed code is its person's own.
    fileprivate func amounts(sparingRevoked: Bool) -> [Int] {
        let codes = records.count { change in
            if case .revoke = change { return !sparingRevoked }
            return true
        }
        return [codes + messages.count, keys.count, references.count, reads.count, signIns.count, events.count]
    }
}
