extension FederatedProof {
    /// The one-time records that the proof rests on.
    var records: [OneTimeRecordID] {
        // Most proofs rest on none, for which no array is made.
        var keys: [OneTimeRecordID] = []
        if let pending { keys.append(pending.key) }
        if let used = singleUseKey { keys.append(used) }
        if let nonceKey { keys.append(nonceKey) }
        return keys
    }

    /// The key of the record that a single-use token was presented.
    var singleUseKey: OneTimeRecordID? {
        guard let use = assertion.singleUse else { return nil }
        return OneTimeRecordID(digestOf: "assertion\u{0}\(assertion.issuer)\u{0}\(use.id)")
    }

    /// The pending identity that is used up, and the token that cannot be presented again.
    func consumption(at now: Timestamp) -> [OneTimeRecordChange] {
        var changes: [OneTimeRecordChange] = []
        if let pending { changes.append(.consume(pending.key)) }
        if let nonceKey { changes.append(.consume(nonceKey)) }
        if let key = singleUseKey, let use = assertion.singleUse {
            let expiresAt = Timestamp(use.expiresAt)
            let used = OneTimeRecord(
                key: key,
                account: nil,
                createdAt: now,
                expiresAt: expiresAt,
                content: .usedAssertion
            )
            changes.append(.put(used))
        }
        return changes
    }

    /// The address that the provider's assurance verifies, if it verifies one.
    func verifiedSubject(under policy: AuthPolicy) -> Evidence.Subject? {
        guard let email = identity.email, identity.assurance >= policy.minimumAssurance else { return nil }
        return .email(email)
    }

    /// Why the proof cannot be used any more, or not on this device; nil while it can.
    func validityRefusal(in snapshot: Snapshot, _ context: DecisionContext, as use: Intent) -> Refusal? {
        if let pending {
            guard let record = snapshot.record(pending.key), record.isLive(at: context.now) else {
                return Refusal(.invalidCredential, .pendingIdentityIsOver)
            }
            if context.isElsewhere(record) { return Refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) }
        }
        if let used = singleUseKey, snapshot.record(used) != nil {
            return Refusal(.invalidCredential, .assertionWasUsed)
        }
        return nonceRefusal(use, in: snapshot, context)
    }

    /// The account with which the identity met a conflict, if the proof comes from one.
    func target(in snapshot: Snapshot) -> AccountID? {
        pending.flatMap { snapshot.record($0.key)?.content.pendingTarget }
    }

    /// A name by which a person recognizes the identity.
    var displayName: String {
        identity.username ?? identity.email?.text ?? identity.displayName ?? identity.provider.rawValue
    }
}
