extension FederatedProof {
    /// The one-time things that the proof rests on.
    var records: [OneTimeRecordID] {
        var keys: [OneTimeRecordID] = []
        if let pending { keys.append(pending.key) }
        if let used = singleUseKey { keys.append(used) }
        return keys
    }

    /// Where the use of a token that may be presented only once is remembered.
    var singleUseKey: OneTimeRecordID? {
        guard pending == nil, let use = assertion.singleUse else { return nil }
        return OneTimeRecordID(digestOf: "assertion\u{0}\(assertion.issuer)\u{0}\(use.id)")
    }

    /// The address that the provider's word proves, if it proves one.
    func verifiedSubject(under policy: AuthPolicy) -> Evidence.Subject? {
        guard let email = identity.email, identity.word >= policy.minimumAssurance else { return nil }
        return .email(email)
    }

    /// Why the proof cannot be used any more, or not here; nil while it can.
    func validityRefusal(in snapshot: Snapshot, _ context: DecisionContext) -> Refusal? {
        if let pending {
            guard let record = snapshot.record(pending.key), record.isLive(at: context.now) else {
                return Refusal(.invalidCredential, .pendingIdentityIsOver)
            }
            if let device = record.device, device != context.device {
                return Refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice)
            }
        }
        if let used = singleUseKey, snapshot.record(used) != nil {
            return Refusal(.invalidCredential, .assertionWasUsed)
        }
        return nil
    }

    /// The account that it met a conflict with, where it comes from one.
    func target(in snapshot: Snapshot) -> AccountID? {
        guard let pending, case .pendingIdentity(let identity)? = snapshot.record(pending.key)?.content else {
            return nil
        }
        return identity.target
    }

    /// A name that a person recognises the identity by.
    var displayName: String {
        let name = identity.username ?? identity.email?.text ?? identity.displayName
        return name.map { "\(identity.provider) user \($0)" } ?? "\(identity.provider) user"
    }
}
