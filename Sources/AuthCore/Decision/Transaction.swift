/// A decision in progress: collects the changes to write and the reasons.
package struct Transaction: Sendable {
    package let context: DecisionContext
    package var changes: ChangeSet
    var reasons: [Reason] = []
    /// The codes of the messages to send.
    var issued: [IssuedCode] = []
    /// The device with the new secret that it got because it became known to an account.
    var newDevice: DeviceID?
    /// The accounts as they were before the first step that wrote them.
    var origins: [Account] = []
    /// Since when the login counts with which the acting session makes changes; nil if no session does.
    var authorizedSince: Timestamp?
    /// Whether the decision changes what its session may do, or what the account is protected by.
    var changesPrivileges = false
    /// The account of which a recovery code is used up; what voids codes uses none.
    var recoveryCodeUser: AccountID?
    /// The merge for which accounts are written; its own merge lock does not prevent it.
    var merge: Merge.ID?
    /// Whether a change touches something under another merge's lock.
    private var isLocked = false

    package init(_ context: DecisionContext) {
        self.context = context
        changes = ChangeSet(operation: context.operation, at: context.now)
        changes.keyRule = context.keyRule
    }

    private var keyRule: KeyRule { context.keyRule }

    /// Refuses the whole decision if it would change something under another merge's lock.
    func checkMergeLocks() throws(Refusal) { if isLocked { throw .accountBeingMerged.after(reasons) } }

    /// Consumes the records that a proof rests on.
    mutating func use(_ proof: Proof) { changes.records.append(contentsOf: proof.consumption(at: context.now)) }

    /// Writes a new account with its keys, without events or notices; use cases call `create(_:by:)`.
    package mutating func insert(_ account: consuming Account) {
        account.dueAt = account.nextDue(context)
        for key in account.ownedKeys(under: keyRule) { claim(key, for: account.id) }
        for (email, reference) in account.emailReferences(under: keyRule) { note(reference, to: email, isThere: true) }
        changes.accounts.append(.create(account))
    }

    /// Writes a new value for an account, with the keys that it gains and loses; does nothing if the values are equal.
    ///
    /// It sends no notices and returns whether anything differed; use cases call `update(_:to:by:)`.
    @discardableResult
    package mutating func replace(_ old: Account, with new: inout Account) -> Bool {
        guard new != old else {
            read(old)
            return false
        }
        if old.isLocked(from: merge, at: context.now), !new.hasSameAccess(as: old) { isLocked = true }
        new.dueAt = new.nextDue(context)
        if let index = changes.accounts.firstIndex(where: { $0.id == new.id }) {
            changes.accounts[index] = changes.accounts[index].replacing(by: new)
        } else {
            changes.reads.removeAll { $0.id == old.id }
            new.version = old.version + 1
            changes.accounts.append(.update(new, expected: old.version))
        }
        moveKeys(from: old, to: new)
        return true
    }

    /// Writes the keys and the references that the account gains and loses.
    private mutating func moveKeys(from old: Account, to new: Account) {
        // Methods with the same keys at the same indices change no keys.
        let (before, after) = (old.methods, new.methods)
        var same = 0
        while same < before.count, same < after.count, before[same].kind.isNamed(as: after[same].kind) { same += 1 }
        // Unchanged addresses change no keys either.
        let movesAddresses =
            old.email != new.email || old.reservesEmail != new.reservesEmail || old.reservations != new.reservations
        let movesKeys = movesAddresses || same < before.count || same < after.count
        let rule = keyRule
        if movesKeys {
            // Loops and not closures, which would copy both accounts.
            for key in old.ownedKeys(under: rule, fromMethod: same, withAddresses: movesAddresses)
            where !new.owns(key, under: rule) {
                release(key, of: old.id)
            }
            for key in new.ownedKeys(under: rule, fromMethod: same, withAddresses: movesAddresses)
            where !old.owns(key, under: rule) {
                claim(key, for: new.id)
            }
        }
        // Nor do methods that name no other address than the account's own change references.
        let (own, changed) = (new.email, before[same...] + after[same...])
        if !movesAddresses, old.ownStrength == new.ownStrength,
            changed.allSatisfy({ ($0.identity?.email ?? own) == own })
        {
            return
        }
        let (left, named) = (old.emailReferences(under: rule), new.emailReferences(under: rule))
        for (email, reference) in left where !named.contains(where: { $0.email == email }) {
            note(reference, to: email, isThere: false)
        }
        for (email, reference) in named where !left.contains(where: { $0 == (email, reference) }) {
            note(reference, to: email, isThere: true)
        }
    }

    /// Writes a reference of an account to an address, or removes it.
    private mutating func note(_ reference: EmailReference, to email: EmailAddress, isThere: Bool) {
        changes.references.append(Store.EmailReferenceChange(email: email, reference: reference, isReferenced: isThere))
    }

    /// Claims a key that is free, or that another account releases in the same change.
    private mutating func claim(_ key: UniqueKey, for account: AccountID) {
        let index = changes.keys.firstIndex { $0.key == key && $0.owner == nil && $0.expected != nil }
        if let index {
            changes.keys[index] = KeyChange(key, from: changes.keys[index].expected, to: account)
        } else {
            changes.keys.append(KeyChange(key, from: nil, to: account))
        }
    }

    /// Releases a key of an account, or takes back what an earlier step of the same change claimed for it.
    private mutating func release(_ key: UniqueKey, of account: AccountID) {
        let index = changes.keys.firstIndex { $0.key == key && $0.owner == account }
        let owner = if let index { changes.keys.remove(at: index).expected } else { account as AccountID? }
        if let owner { changes.keys.append(KeyChange(key, from: owner, to: nil)) }
    }

    /// Removes an account with its keys, its sessions and its one-time records, but for those of this purpose.
    package mutating func remove(_ account: Account, keeping kept: OneTimeRecord.Purpose? = nil) {
        // A merge is found by the lock of its accounts, also after the lock's time: without them its hooks would wait
        // for ever.
        if let lock = account.mergeLock, lock.intent != merge?.intentKey { isLocked = true }
        changes.accounts.append(.remove(account.id, expected: account.version))
        for key in account.ownedKeys(under: keyRule) { release(key, of: account.id) }
        for (email, reference) in account.emailReferences(under: keyRule) { note(reference, to: email, isThere: false) }
        endSessions(of: account.id)
        revokeAll(of: account.id, OneTimeRecord.Purpose.allCases.filter { $0 != kept })
    }

    /// Records that the decision depends on this version of an account that it does not write.
    mutating func read(_ account: Account) {
        if changes.accounts.contains(where: { $0.id == account.id }) { return }
        changes.reads.append(Store.AccountRead(id: account.id, version: account.version))
    }

    /// Writes the account under a new version, also if nothing else of it changes, so that nothing is written that was
    /// decided before.
    mutating func raiseVersion(of account: inout Account) {
        changes.reads.removeAll { $0.id == account.id }
        account.version += 1
        changes.accounts.append(.update(account, expected: account.version - 1))
    }

    /// Records that the decision depends on which accounts reference the addresses that were looked up.
    mutating func readReferences(in seen: Snapshot) {
        for case .referencing(let email) in seen.asked {
            changes.referenceReads.append(
                Store.EmailReferenceRead(email: email, version: seen.referenceVersion(of: email))
            )
        }
    }

    package mutating func event(
        _ kind: IdentityEvent.Kind,
        _ account: AccountID,
        by actor: IdentityEvent.Actor,
        evidence: [Evidence] = [],
        before: [SignInMethod.Summary]? = nil,
        after: [SignInMethod.Summary]? = nil
    ) {
        changes.events.append(
            IdentityEvent(
                kind,
                at: context.now,
                account: account,
                actor: actor,
                reasons: reasons,
                evidence: evidence,
                before: before,
                after: after
            )
        )
    }
}

extension Store.AccountWrite {
    /// The same write with a later value: one decision may edit an account in several steps.
    fileprivate func replacing(by account: Account) -> Store.AccountWrite {
        switch self {
        case .create: .create(account)
        case .update(_, let expected): .update(account, expected: expected)
        case .remove: self
        }
    }
}
