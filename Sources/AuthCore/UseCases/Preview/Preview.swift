/// What would happen if an operation were called now, without writing anything or consuming a code.
///
/// It comes from the same decision as the operation itself, from a credential that is already verified, and discloses
/// no more than the operation would.
///
/// ```swift
/// let verified = try await client.verify(credential)
/// let preview = try await client.previewSignIn(with: verified)
/// print(preview.answer, preview.effects, preview.reasons)
/// ```
public struct Preview: Sendable, Hashable {
    /// Whether the operation would succeed.
    public enum Answer: Sendable, Hashable {
        /// The operation would succeed.
        case succeeds
        /// The operation would be refused with this error.
        case refused(AuthErrorCode)
    }

    /// Whether the operation would succeed.
    public let answer: Answer
    /// The account that would be signed in to or changed; nil if it would be new, or for a refusal.
    public let account: AccountID?
    /// The changes that the operation would make, item by item.
    public let effects: [Effect]
    /// The reasons for the answer.
    public let reasons: [Reason]
    /// The steps that may change the answer, the most suitable first.
    public let remedies: [Remedy]
    /// The existing account's sign-in methods, as far as the caller may know them.
    public let existingProviders: [ProviderID]
}

extension Preview {
    /// One change that an operation would make.
    public enum Effect: Sendable, Hashable {
        /// A new account would be created.
        case newAccount
        /// The account would be removed.
        case deletesAccount
        /// A sign-in method would be added.
        case adds(ProviderID)
        /// A sign-in method would be removed.
        case removes(ProviderID)
        /// A sign-in method would be suspended until its owner confirms it.
        case suspends(ProviderID)
        /// A suspended sign-in method would be usable again.
        case confirms(ProviderID)
        /// The address would become this one; nil for none.
        case changesAddress(to: String?)
        /// The address would count as verified.
        case verifiesAddress(String)
        /// The account's address was verified, and this one would not be.
        case leavesUnverified(String)
        /// A name or picture would be taken over from the provider or the other account.
        case changesProfile
        /// Every other session of the account would end.
        case endsOtherSessions
        /// The session of the operation would end: it rests on nothing but a method that goes.
        case endsThisSession
        /// The deletion that the account waits for would be canceled.
        case cancelsDeletion
        /// Another account would lose a sign-in method or its address.
        case takesFromAnotherAccount
    }

    /// Creates the preview of a decision's result on what was read.
    init(of decision: Decision<SignedIn>, on snapshot: Snapshot, under policy: AuthPolicy) {
        switch decision.result {
        case .success(let signedIn):
            answer = .succeeds
            account = signedIn.isNewUser ? nil : signedIn.account.id
            let made = Effect.all(of: decision.transaction.changes, for: signedIn.account, on: snapshot, under: policy)
            effects = made + (signedIn.endsSession ? [.endsThisSession] : [])
            reasons = decision.transaction.reasons
            remedies = []
            existingProviders = []
        case .failure(let refusal):
            answer = .refused(refusal.code)
            account = nil
            effects = []
            // While a factor is still required, nothing else is disclosed.
            reasons = refusal.code == .secondFactorRequired ? [refusal.reason] : decision.transaction.reasons
            remedies = Remedy.all(for: refusal, under: policy)
            existingProviders = refusal.detail?.conflict?.existingProviders ?? []
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
                effects.append(contentsOf: made.methods.map { .adds($0.kind.name) })
            case .update(let new, _) where new.id == account.id:
                guard let old = snapshot[new.id] else { continue }
                effects.append(contentsOf: differences(from: old, to: new, under: policy))
            case .update: effects.append(.takesFromAnotherAccount)
            case .remove: effects.append(.deletesAccount)
            }
        }
        return effects
    }

    private static func differences(from old: Account, to new: Account, under policy: AuthPolicy) -> [Preview.Effect] {
        var effects: [Preview.Effect] = []
        for method in old.methods where !new.methods.contains(where: { $0.generation == method.generation }) {
            effects.append(.removes(method.kind.name))
        }
        for method in new.methods {
            let before = old.methods.first { $0.generation == method.generation }
            switch (before?.isActive, method.isActive) {
            case (nil, _): effects.append(.adds(method.kind.name))
            case (true?, false): effects.append(.suspends(method.kind.name))
            case (false?, true): effects.append(.confirms(method.kind.name))
            case (true?, true), (false?, false): break
            }
        }
        if old.email != new.email { effects.append(.changesAddress(to: new.email?.text)) }
        if let email = new.email {
            let (wasVerified, isVerified) = (old.isEmailVerified(under: policy), new.isEmailVerified(under: policy))
            if isVerified && !(wasVerified && old.email == email) { effects.append(.verifiesAddress(email.text)) }
            if wasVerified && !isVerified { effects.append(.leavesUnverified(email.text)) }
        }
        if old.displayName != new.displayName || old.photoURL != new.photoURL { effects.append(.changesProfile) }
        if old.deletedUntil != nil && new.deletedUntil == nil { effects.append(.cancelsDeletion) }
        if old.sessionGeneration != new.sessionGeneration { effects.append(.endsOtherSessions) }
        return effects
    }
}
