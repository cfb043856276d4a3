/// Refusals that store what was verified, so that it can still be linked or signed in with.
extension Transaction {
    /// The refusal of an identity that met a conflict, which stores the identity for a later link or sign-in.
    func conflict(
        _ code: AuthErrorCode,
        _ reason: Reason,
        over proof: FederatedProof,
        with owner: Account,
        in snapshot: Snapshot
    ) -> Refusal {
        let key: OneTimeRecordID
        let expiresAt: Timestamp
        var writes: [OneTimeRecordChange] = []
        if let pending = proof.pending {
            key = pending.key
            expiresAt = snapshot.record(pending.key)?.expiresAt ?? context.now
        } else {
            key = OneTimeRecordID(bits: context.fresh.record)
            expiresAt = context.now + context.policy.lifetimes.pendingIdentity
            writes.append(
                .put(
                    OneTimeRecord(
                        key: key,
                        account: nil,
                        createdAt: context.now,
                        expiresAt: expiresAt,
                        device: context.device,
                        content: .pendingIdentity(PendingIdentity(assertion: proof.assertion, target: owner.id))
                    )
                )
            )
        }
        let conflict = Conflict(
            provider: proof.identity.provider,
            email: proof.identity.email?.text,
            displayName: proof.displayName,
            existingProviders: mayKnowMethods(of: owner, over: proof) ? owner.listedProviders : [],
            pending: Conflict.PendingCredential(provider: proof.identity.provider, id: key),
            expiresAt: expiresAt.date
        )
        return Refusal(code, reason, detail: .conflict(conflict), writing: writes)
    }

    /// Whether the caller may learn the account's sign-in methods: if anyone may, or if the identity verifies its
    /// address.
    private func mayKnowMethods(of owner: Account, over proof: FederatedProof) -> Bool {
        if context.policy.disclosure == .detailed { return true }
        guard proof.verifiedSubject(under: context.policy) != nil else { return false }
        return context.policy.isSameMailbox(owner.email, proof.identity.email)
    }

    /// The refusal of a number that belongs to another account; its proof is stored, so that its owner can sign in
    /// there without another code.
    func phoneConflict(
        _ code: AuthErrorCode,
        _ reason: Reason,
        over proof: PhoneProof,
        in seen: Snapshot
    ) -> Refusal {
        let key: OneTimeRecordID
        var writes: [OneTimeRecordChange] = []
        var expiresAt = context.now + context.policy.lifetimes.pendingIdentity
        if let held = seen.record(proof.record), held.purpose == .phoneOwnership {
            key = held.key
            expiresAt = held.expiresAt ?? expiresAt
        } else {
            key = OneTimeRecordID(bits: context.fresh.record)
            writes = [
                .consume(proof.record),
                .put(
                    OneTimeRecord(
                        key: key,
                        account: nil,
                        createdAt: context.now,
                        expiresAt: expiresAt,
                        device: context.device,
                        content: .phoneOwnership(proof.number)
                    )
                ),
            ]
        }
        let conflict = Conflict(
            provider: .phone,
            email: nil,
            displayName: "phone number \(proof.number.masked)",
            existingProviders: [],
            pending: Conflict.PendingCredential(provider: .phone, id: key),
            expiresAt: expiresAt.date
        )
        return Refusal(code, reason, detail: .conflict(conflict), writing: writes)
    }

    /// The refusal of a mailed link that met a conflict.
    ///
    /// The link itself stays usable: it can be linked once its owner has signed in with another method.
    func mailboxConflict(
        _ reason: Reason,
        over proof: MailboxProof,
        with owner: Account,
        in seen: Snapshot
    ) -> Refusal {
        let conflict = Conflict(
            provider: .password,
            email: proof.email.text,
            displayName: "mail to \(proof.email)",
            existingProviders: context.policy.isSameMailbox(owner.email, proof.email) ? owner.listedProviders : [],
            pending: Conflict.PendingCredential(provider: .password, id: proof.record),
            expiresAt: (seen.record(proof.record)?.expiresAt ?? context.now).date
        )
        return Refusal(.accountExistsWithDifferentCredential, reason, detail: .conflict(conflict))
    }
}
