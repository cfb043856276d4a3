/// What a change did to the sign-in methods of an account, as far as its owner must be notified.
struct NoticedChange: Sendable, Hashable {
    /// The notices to send, one message each.
    var kinds: [Message.Kind] = []
    /// What can be suspended if the owner did not make the change.
    var contested: Store.ReversibleChange

    init(from old: borrowing Account, to new: borrowing Account, usesRecoveryCode: Bool) {
        let before = old.methods
        let after = new.methods
        let gained = after.active(besides: before)
        let lost = before.active(besides: after)
        if gained.contains(where: lost.hasSameKind) { kinds.append(.methodReplaced) }
        if !gained.allSatisfy(lost.hasSameKind) { kinds.append(.methodAdded) }
        // A method replaced by an added one of its kind is not also reported as removed.
        if !lost.allSatisfy(gained.hasSameKind) { kinds.append(.methodRemoved) }

        var factors: [SecondFactor.ID] = []
        var codesMade: [SecondFactor.RecoveryCode] = []
        if !old.factors.isEmpty || !new.factors.isEmpty {
            let factorsBefore = old.activeFactors.map(\.id)
            let factorsAfter = new.activeFactors.map(\.id)
            factors = factorsAfter.filter { !factorsBefore.contains($0) }
            if !factors.isEmpty { kinds.append(.factorAdded) }
            if factorsBefore.contains(where: { !factorsAfter.contains($0) }) { kinds.append(.factorRemoved) }
            codesMade = new.recoveryCodes.filter { !old.recoveryCodes.contains($0) }
            if !codesMade.isEmpty {
                kinds.append(.recoveryCodesMade)
            } else if usesRecoveryCode, factorsBefore == factorsAfter {
                kinds.append(.recoveryCodeUsed)
            }
        }

        let email = old.email == new.email ? nil : new.email
        if old.email != new.email { kinds.append(.addressChanged) }
        let isDeletion = new.deletedUntil != nil && old.deletedUntil == nil
        if isDeletion { kinds.append(.deletionRequested) }
        contested = Store.ReversibleChange(
            methods: gained.map(\.generation),
            factors: factors,
            email: email,
            recoveryCodes: codesMade.isEmpty ? nil : codesMade,
            deletedUntil: isDeletion ? new.deletedUntil : nil
        )
    }
}

extension [SignInMethod] {
    /// The methods that can be used, unless the same secret or subject can be used there under the same key.
    ///
    /// It uses indices, since copying methods costs more than comparing them.
    fileprivate func active(besides others: [SignInMethod]) -> [SignInMethod] {
        indices.lazy.filter { place in
            self[place].isActive
                && !others.indices.contains {
                    others[$0].generation == self[place].generation && others[$0].isActive
                        && others[$0].kind.isSameMethod(as: self[place].kind)
                }
        }.map { self[$0] }
    }

    /// Whether a method is here of the same kind and provider.
    fileprivate func hasSameKind(as method: SignInMethod) -> Bool {
        indices.contains { self[$0].kind.isSameKind(as: method.kind) }
    }
}
