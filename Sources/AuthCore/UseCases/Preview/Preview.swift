/// What would happen if a call were made now; nothing was written and no code was used up.
///
/// It comes from the same decision as the call itself, from a proof already made, and tells no more than the call would.
public struct Preview: Sendable, Hashable {
    /// Whether the call would go through.
    public enum Answer: Sendable, Hashable {
        /// It would.
        case goesThrough
        /// It would not, with this error.
        case refused(AuthErrorCode)
    }

    /// Whether the call would go through.
    public let answer: Answer
    /// The account in which it would end; nil where it would be a new one, or is refused.
    public let account: AccountID?
    /// What would be different then, item by item.
    public let effects: [Effect]
    /// Why.
    public let reasons: [Reason]
    /// What would change the answer.
    public let remedies: [Remedy]
    /// How the existing account is signed in to, as far as the caller may know.
    public let existingProviders: [ProviderID]
}

extension Preview {
    /// One thing that would be different.
    public enum Effect: Sendable, Hashable {
        /// There would be a new account.
        case newAccount
        /// The account would be gone.
        case accountGoes
        /// A way in would be added.
        case adds(ProviderID)
        /// A way in would be gone.
        case removes(ProviderID)
        /// A way in would be suspended until its owner confirms it.
        case suspends(ProviderID)
        /// A suspended way in would be open again.
        case confirms(ProviderID)
        /// The address would be this; nil for none.
        case changesAddress(to: String?)
        /// The address would count as verified.
        case verifiesAddress(String)
        /// A name or picture would be taken over.
        case changesProfile
        /// Every other session of the account would end.
        case endsOtherSessions
        /// Another account would lose a way in or its address.
        case takesFromAnotherAccount
    }
}

extension Preview {
    /// The preview of what would come of a decision on what was seen.
    init(of attempt: Attempt<SignedIn>, on snapshot: Snapshot, under policy: AuthPolicy) {
        switch attempt.result {
        case .success(let signedIn):
            answer = .goesThrough
            account = signedIn.isNewUser ? nil : signedIn.account.id
            effects = Effect.all(of: attempt.changes, for: signedIn.account, on: snapshot, under: policy)
            reasons = attempt.reasons
            remedies = []
            existingProviders = []
        case .failure(let refusal):
            answer = .refused(refusal.code)
            account = nil
            effects = []
            // While a factor is owed nothing else is said.
            reasons = refusal.code == .secondFactorRequired ? [refusal.reason] : attempt.reasons
            remedies = Remedy.all(for: refusal)
            if case .conflict(let conflict) = refusal.detail {
                existingProviders = conflict.existingProviders
            } else {
                existingProviders = []
            }
        }
    }
}

extension Preview.Effect {
    fileprivate static func all(
        of changes: ChangeSet,
        for account: Account,
        on snapshot: Snapshot,
        under policy: AuthPolicy
    ) -> [Preview.Effect] {
        var effects: [Preview.Effect] = []
        for write in changes.accounts {
            switch write {
            case .create(let made):
                effects.append(.newAccount)
                effects.append(contentsOf: made.methods.map { .adds($0.kind.provider) })
            case .update(let new, _) where new.id == account.id:
                guard let old = snapshot[new.id] else { continue }
                effects.append(contentsOf: differences(from: old, to: new, under: policy))
            case .update: effects.append(.takesFromAnotherAccount)
            case .remove: effects.append(.accountGoes)
            }
        }
        return effects
    }

    private static func differences(
        from old: Account,
        to new: Account,
        under policy: AuthPolicy
    ) -> [Preview.Effect] {
        var effects: [Preview.Effect] = []
        for method in old.methods where !new.methods.contains(where: { $0.generation == method.generation }) {
            effects.append(.removes(method.kind.provider))
        }
        for method in new.methods {
            let before = old.methods.first { $0.generation == method.generation }
            switch (before?.isActive, method.isActive) {
            case (nil, _): effects.append(.adds(method.kind.provider))
            case (true?, false): effects.append(.suspends(method.kind.provider))
            case (false?, true): effects.append(.confirms(method.kind.provider))
            case (true?, true), (false?, false): break
            }
        }
        if old.email != new.email { effects.append(.changesAddress(to: new.email?.text)) }
        if let email = new.email, new.isEmailVerified(under: policy),
            !(old.email == email && old.isEmailVerified(under: policy))
        {
            effects.append(.verifiesAddress(email.text))
        }
        if old.displayName != new.displayName || old.photoURL != new.photoURL { effects.append(.changesProfile) }
        if old.sessionGeneration != new.sessionGeneration { effects.append(.endsOtherSessions) }
        return effects
    }
}
