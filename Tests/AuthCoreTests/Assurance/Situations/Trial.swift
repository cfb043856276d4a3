@testable import AuthCore

/// What was decided of a situation under a policy, to be looked at.
struct Trial {
    let situation: Situation
    /// The policy, as far as invariants may look at it.
    let policy: AuthPolicy
    let decided: Decided
    /// What is decided where nothing is there that must not be found out; nil where that is not promised.
    let missing: Decided?
    /// The scene once the change is written.
    let after: Scene

    init(_ situation: Situation, _ policy: AuthPolicy, _ decided: Decided, missing: Decided? = nil) {
        self.situation = situation
        self.policy = policy
        self.decided = decided
        self.missing = missing
        after = situation.scene.after(decided.changes)
    }

    var before: Scene { situation.scene }
    var changes: ChangeSet { decided.changes }

    /// The sessions that are written, with what they were; nothing for new ones.
    var writtenSessions: [(old: Session?, new: Session)] {
        changes.sessions.compactMap { change in
            switch change {
            case .put(let session): (nil, session)
            case .update(let session, _): (before.sessions.first { $0.id == session.id }, session)
            case .end, .endAll, .endUnused: nil
            }
        }
    }

    /// The accounts that are written over, before and after.
    var updates: [(old: Account, new: Account)] {
        changes.accounts.compactMap { write in
            guard case .update(let new, _) = write, let old = before.account(write.id) else { return nil }
            return (old, new)
        }
    }
}

/// Something that no decision may break.
struct DecisionInvariant {
    let name: String
    /// Whether what it says depends on the policy, or on the decision alone.
    let isOfPolicy: Bool
    /// What is wrong, in words; nil if nothing is.
    let violation: (Trial) -> String?

    /// Something that must hold whatever the policy.
    static func always(_ name: String, _ violation: @escaping (Trial) -> String?) -> DecisionInvariant {
        DecisionInvariant(name: name, isOfPolicy: false, violation: violation)
    }

    /// Something that the policy promises, or that depends on it what a proof is.
    static func promised(_ name: String, _ violation: @escaping (Trial) -> String?) -> DecisionInvariant {
        DecisionInvariant(name: name, isOfPolicy: true, violation: violation)
    }

    static var all: [DecisionInvariant] {
        [
            reasons, refusals, keys, versions, records, history, events, unverified, sameWays, assurance, factorFirst,
            suspension, state, joining, recovery, strangers,
        ]
    }
}
