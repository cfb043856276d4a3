/// Writing accounts; changes of sign-in methods are found by comparing both values, so that no use case can omit them.
extension Transaction {
    /// Writes a new account, or one that a merge removed, with its keys, and records the methods that it has.
    mutating func create(
        _ account: Account,
        by actor: IdentityEvent.Actor,
        as kind: IdentityEvent.Kind = .accountCreated
    ) {
        insert(account)
        event(kind, account.id, by: actor, evidence: account.evidence, before: [], after: account.methodSummaries)
    }

    /// Writes a new value for an account, and records the differences in its address, its methods and its factors.
    ///
    /// Several steps of one decision are one change: what an earlier step recorded is recorded anew, from the original
    /// value.
    mutating func update(_ old: Account, to new: inout Account, by actor: IdentityEvent.Actor) {
        if new.email != old.email { new.emailSetAt = new.email.map { _ in context.now } }
        // An account is provisional until its address is verified, or until it has none.
        if new.email == nil { endProvision(of: &new) }
        guard replace(old, with: &new) else { return }
        guard let index = origins.firstIndex(where: { $0.id == new.id }) else {
            origins.append(old)
            return recordDifferences(from: old, to: new, by: actor)
        }
        changes.events.removeAll { $0.account == new.id && $0.kind.isOfDifference }
        retractNotices(about: new.id)
        recordDifferences(from: origins[index], to: new, by: actor)
    }

    /// Whether an earlier step of this decision took the verified address from the account.
    func drops(verifiedAddressOf account: Account) -> Bool {
        guard account.email == nil else { return false }
        return origins.contains { $0.id == account.id && $0.keepsEmail(under: context.policy) }
    }

    /// Removes all factors and recovery codes, and ends what rests on them: sessions, other known devices, and what
    /// waits.
    mutating func removeFactors(of account: inout Account) {
        account.factors = []
        account.recoveryCodes = []
        endOtherSessions(of: &account, except: nil)
        account.forgetDevices(except: context.request.context.device)
        revokeAll(of: account.id, [.factorChallenge, .totpSeed, .lostFactors])
    }

    /// Keeps an account that is to be deleted, if it is, and records that.
    mutating func cancelDeletion(
        of account: inout Account,
        by actor: IdentityEvent.Actor,
        because reason: Reason? = nil
    ) {
        if account.deletedUntil == nil { return }
        account.deletedUntil = nil
        if let reason { reasons.append(reason) }
        event(.deletionCanceled, account.id, by: actor)
    }

    /// Removes the account for good.
    mutating func delete(_ account: Account, by actor: IdentityEvent.Actor) {
        if actor != .system { notify(account, of: .accountDeleted) }
        removeForGood(account, .accountDeleted, by: actor)
    }

    /// Removes the account and records what became of it, so that its ID is never used again.
    mutating func removeForGood(
        _ account: Account,
        _ kind: IdentityEvent.Kind,
        successor: AccountID? = nil,
        by actor: IdentityEvent.Actor,
        evidence: [Evidence] = []
    ) {
        // An undo brings a merged account back, and its owner can report what the notices of before were about.
        remove(account, keeping: kind == .accountMerged ? .changeReport : nil)
        put(.tombstone(of: account.id), .tombstone(successor: successor), until: nil)
        event(kind, account.id, by: actor, evidence: evidence, before: account.methodSummaries, after: [])
    }

    private mutating func recordDifferences(
        from old: borrowing Account,
        to new: borrowing Account,
        by actor: IdentityEvent.Actor
    ) {
        if old.email != nil, old.email != new.email, context.policy.endsAddressChanges {
            // Mails that verify or change an address become void with it, even if the address comes back.
            revokeAll(of: new.id, [.verifyEmail, .changeEmail])
        }
        if old.email != new.email {
            event(.emailChanged, new.id, by: actor, evidence: new.evidence)
        } else if old.evidence != new.evidence, new.isNewlyVerified(since: old, context) {
            event(.emailVerified, new.id, by: actor, evidence: new.evidence)
        }
        if old.methods != new.methods {
            // What events do not list may differ too: a method is then only used or covered.
            let (before, after) = (old.methodSummaries, new.methodSummaries)
            if before != after {
                event(.methodsChanged, new.id, by: actor, evidence: new.evidence, before: before, after: after)
            }
        }
        if !old.hasSameFactors(as: new) { event(.factorsChanged, new.id, by: actor) }
        if old.displayName != new.displayName || old.photoURL != new.photoURL {
            event(.profileChanged, new.id, by: actor)
        }
        if !changes.messages.isEmpty, context.policy.emailRecovery == .everyChange { retractVoidOffers(about: new) }
        if context.policy.sendsNotices {
            let change = NoticedChange(from: old, to: new, usesRecoveryCode: recoveryCodeUser == new.id)
            notify(of: change, from: old, to: new, by: actor)
        }
    }
}

extension IdentityEvent.Kind {
    /// Whether the event reports a difference between an account before and after.
    fileprivate var isOfDifference: Bool {
        [.emailChanged, .emailVerified, .methodsChanged, .factorsChanged, .profileChanged].contains(self)
    }
}

extension Account {
    /// Whether the factors and the recovery codes are the same, ignoring the last used step of authenticator apps.
    fileprivate func hasSameFactors(as other: Account) -> Bool {
        recoveryCodes == other.recoveryCodes && factors.map(\.withoutStep) == other.factors.map(\.withoutStep)
    }
}

extension SecondFactor {
    fileprivate var withoutStep: SecondFactor {
        guard case .totp(let seed, _) = kind else { return self }
        var factor = self
        factor.kind = .totp(sealedSeed: seed, lastUsedStep: nil)
        return factor
    }
}
