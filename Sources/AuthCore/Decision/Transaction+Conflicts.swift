/// Refusals that store what was verified, so that it can still be linked or signed in with.
extension Transaction {
    /// The refusal of an identity that met a conflict, which stores the identity for a later link or sign-in.
    func conflict(
        _ code: AuthErrorCode,
        _ reason: Reason,
        over proof: FederatedProof,
        with row: Snapshot.Row,
        in snapshot: Snapshot
    ) -> Refusal {
        let content = OneTimeRecord.Content.pendingIdentity(
            Store.PendingIdentity(assertion: proof.assertion, target: row.account.id)
        )
        let pending = pending(content, keptAs: proof.pending?.key, proof.pending?.handedOut, in: snapshot)
        return pending.refusal(
            code,
            reason,
            of: proof.identity.provider,
            proof.identity.email,
            named: proof.displayName,
            existing: mayKnowMethods(of: row.account, over: proof)
                ? row.account.listedProviders(under: context.policy) : [],
            replacing: proof.nonceKey
        )
    }

    /// What a conflict stores, for this device and the time in which it can be resolved, and the ID to hand out for it.
    ///
    /// What an earlier conflict stored stays, if its presenter has an ID for it.
    private func pending(
        _ content: OneTimeRecord.Content,
        keptAs kept: OneTimeRecordID?,
        _ handedOut: OneTimeRecordID?,
        in seen: Snapshot
    ) -> StoredConflict {
        if let kept, let handedOut {
            return StoredConflict(id: handedOut, expiresAt: seen.record(kept)?.expiresAt ?? context.now, writes: [])
        }
        let id = OneTimeRecordID(words: context.fresh.record)
        let expiresAt = context.now + context.policy.lifetimes.pendingIdentity
        let record = record(id.keyOfHandedOut, content, until: expiresAt, on: context.device)
        return StoredConflict(id: id, expiresAt: expiresAt, writes: [.put(record)])
    }

    /// Whether the caller may learn the account's sign-in methods: if anyone may, or if the identity verifies its
    /// address.
    private func mayKnowMethods(of owner: Account, over proof: FederatedProof) -> Bool {
        if context.policy.disclosure != .uniform { return true }
        guard proof.verifiedSubject(under: context.policy) != nil else { return false }
        return context.keyRule.isSameMailbox(owner.email, proof.identity.email)
    }

    /// The refusal of a number that belongs to another account; its proof is stored, so that its owner can sign in
    /// there without another code.
    func phoneConflict(_ code: AuthErrorCode, _ reason: Reason, over proof: PhoneProof, in seen: Snapshot) -> Refusal {
        let pending = pending(.phoneOwnership(proof.number), keptAs: proof.record, proof.handedOut, in: seen)
        let name = proof.number.masked
        return pending.refusal(code, reason, of: .phone, nil, named: name, existing: [], replacing: proof.record)
    }

    /// The refusal of a mailed link that met a conflict; its proof is stored, for this device only.
    func mailboxConflict(
        _ reason: Reason,
        over proof: MailboxProof,
        with owner: Account,
        in seen: Snapshot
    ) -> Refusal {
        let pending = pending(.mailboxOwnership(proof.email), keptAs: proof.record, proof.handedOut, in: seen)
        return pending.refusal(
            .accountExistsWithDifferentCredential,
            reason,
            of: .password,
            proof.email,
            named: proof.email.text,
            existing: context.keyRule.isSameMailbox(owner.email, proof.email)
                ? owner.listedProviders(under: context.policy) : [],
            replacing: proof.record
        )
    }
}

/// What a conflict stores of what was verified.
private struct StoredConflict {
    /// The ID to hand out.
    let id: OneTimeRecordID
    let expiresAt: Timestamp
    let writes: [OneTimeRecordChange]

    /// The refusal, whose writes replace the code or nonce that was presented; what was stored before stays.
    func refusal(
        _ code: AuthErrorCode,
        _ reason: Reason,
        of provider: ProviderID,
        _ email: EmailAddress?,
        named name: String,
        existing: [ProviderID],
        replacing used: OneTimeRecordID?
    ) -> Refusal {
        let conflict = Conflict(
            provider: provider,
            email: email?.text,
            displayName: name,
            existingProviders: existing,
            pending: Conflict.PendingCredential(provider: provider, id: id),
            expiresAt: expiresAt.date
        )
        let consumed = used.map { [OneTimeRecordChange.consume($0)] } ?? []
        return Refusal(code, reason, detail: .conflict(conflict), writing: writes.isEmpty ? [] : consumed + writes)
    }
}
