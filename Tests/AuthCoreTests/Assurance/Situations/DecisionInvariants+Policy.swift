@testable import AuthCore
import Foundation

/// What a policy promises, and what depends on it what a proof is.
extension DecisionInvariant {
    /// I5: no session claims a login, a factor or a proof that was not shown.
    static var assurance: DecisionInvariant {
        .promised("I5: no session claims more than was shown") { trial in
            let shows = trial.situation.shows
            let proves = shows.subjects(under: trial.policy)
            for (old, new) in trial.writtenSessions {
                if new.factor != old?.factor, new.factor != shows.factor { return "a factor was not shown" }
                if let unshown = new.verified.first(where: {
                    !(proves.contains($0.subject) && $0.at == Scene.now) && old?.verified.contains($0) != true
                }) {
                    return "\(unshown) was not verified"
                }
                if new.authenticatedAt == old?.authenticatedAt { continue }
                let acting = trial.before.account(new.account)
                guard let login = shows.login(of: acting, under: trial.policy) else { return "there was no login" }
                if new.authenticatedAt > login { return "the login is of another time" }
            }
            return nil
        }
    }

    /// I5: where factors are enrolled, nobody comes in without one.
    static var factorFirst: DecisionInvariant {
        .always("I5: the factor first, then the session") { trial in
            let isOwed = trial.writtenSessions.contains { old, new in
                old == nil && new.factor == nil && trial.before.account(new.account)?.activeFactors.isEmpty == false
            }
            return isOwed ? "a session is opened without the factor" : nil
        }
    }

    /// I6: what is suspended opens nothing, and whoever came by it does nothing more.
    static var suspension: DecisionInvariant {
        .promised("I6: what is suspended or gone does nothing") { trial in
            for (old, new) in trial.writtenSessions where old == nil {
                let basis = trial.before.account(new.account)?.methods.first { $0.generation == new.basis.generation }
                if basis?.isActive == false { return "a suspended method opens a session" }
            }
            guard trial.policy.removedMethod == .endsItsSessions, trial.situation.isActing,
                let acting = trial.before.sessions.first, let account = trial.before.account(acting.account),
                let generation = acting.basis.generation
            else { return nil }
            let rests = account.methods.contains { $0.generation == generation && $0.isActive }
            return rests || trial.decided.refusal != nil ? nil : "a session acts that rests on nothing"
        }
    }

    /// I3, and what every account and session that is written is in itself: no more is wrong of it than was before.
    static var state: DecisionInvariant {
        .promised("I3: what is written is sound and can be entered") { trial in
            if trial.changes.accounts.isEmpty && trial.changes.sessions.isEmpty { return nil }
            let invariants = Invariants(store: InMemoryIdentityStore(), policy: trial.policy)
            var view = StoreView(trial.after, after: trial.before, trial.changes.events)
            // A row that nobody ends is dead, and stays until it is swept.
            let written = trial.writtenSessions.map(\.new.id)
            view.sessions.removeAll { !written.contains($0.id) }
            let found = invariants.accounts(view) + invariants.sessions(view)
            if found.isEmpty { return nil }
            // Who is verified for the first time may have had no sign-in method before.
            var before = trial.before
            before.accounts = before.accounts.map { $0.changing { $0.wasEverVerified = true } }
            let earlier = invariants.accounts(StoreView(before, after: before, []))
            return found.first { !earlier.contains($0) }
        }
    }

    /// I4: who comes in by an address alone finds nothing there that its proof does not cover.
    static var joining: DecisionInvariant {
        .promised("I4: nothing uncovered is joined to") { trial in
            guard trial.policy.joining == .whenCovered else { return nil }
            for (old, new) in trial.writtenSessions where old == nil {
                guard let owner = trial.before.account(new.account), let email = owner.email,
                    let entered = trial.after.account(new.account),
                    !new.shows(anyOf: owner.methods), new.basis.generation != nil
                else { continue }
                if let method = entered.methods.first(where: { $0.isActive && owner.leaves($0, uncoveredBy: email) }) {
                    return "\(method.kind.provider) is not covered"
                }
            }
            return nil
        }
    }

    /// I4: nor does it stay usable beside a password that was set by mail.
    static var recovery: DecisionInvariant {
        .promised("I4: nothing uncovered stays beside a new password") { trial in
            guard trial.policy.passwordReset == .suspendsDoubtful, trial.changes.sessions.allSatisfy(\.isEnd) else {
                return nil
            }
            for (owner, new) in trial.updates {
                guard let email = owner.email, let password = new.passwordMethod,
                    password.generation >= owner.nextGeneration
                else { continue }
                let left = new.methods.first { method in
                    let isOfProvider =
                        method.identity.map { $0.assurance == .authoritative && $0.email == email } ?? false
                    return method.isActive && owner.leaves(method, uncoveredBy: email) && !isOfProvider
                }
                if let left { return "\(left.kind.provider) is not covered" }
            }
            return nil
        }
    }
}

extension Account {
    /// Whether the method was there before and no proof of the address covered it.
    fileprivate func leaves(_ method: SignInMethod, uncoveredBy email: EmailAddress) -> Bool {
        methods.contains { $0.generation == method.generation && !evidence.support($0.coverage, of: .email(email)) }
    }
}

extension Session {
    /// Whether one of the methods was shown in the session.
    fileprivate func shows(anyOf methods: [SignInMethod]) -> Bool {
        ([basis] + used).contains { basis in methods.contains { $0.generation == basis.generation } }
    }
}

extension Store.SessionChange {
    fileprivate var isEnd: Bool {
        switch self {
        case .end, .endAll, .endUnused: true
        case .put, .update: false
        }
    }
}

extension Shown {
    /// What is verified, given what the policy takes for a proof.
    fileprivate func subjects(under policy: AuthPolicy) -> [Evidence.Subject] {
        guard let confirmed, policy.addressTrust == .verifiedFlag else { return proves }
        return proves + [.email(confirmed)]
    }

    /// From when the login counts; nil if there is none.
    fileprivate func login(of account: Account?, under policy: AuthPolicy) -> Timestamp? {
        switch login {
        case .nothing: return nil
        case .now: return Scene.now
        case .addition:
            let isGuarded = policy.seniority != nil || policy.recency.operations.contains(.link)
            return isGuarded && account?.methods.isEmpty == false ? nil : Scene.now
        case .token(let date): return policy.customTokensAreRecent ? Scene.now : date
        }
    }
}
