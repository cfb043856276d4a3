extension FederatedProof {
    /// The one-time things that the proof rests on.
    var capabilities: [CapabilityKey] {
        var keys: [CapabilityKey] = []
        if let pending { keys.append(pending.key) }
        if let used = singleUseKey { keys.append(used) }
        return keys
    }

    /// Where the use of a token that may be presented only once is remembered.
    var singleUseKey: CapabilityKey? {
        guard pending == nil, let use = assertion.singleUse else { return nil }
        return CapabilityKey(digestOf: "assertion\u{0}\(assertion.issuer)\u{0}\(use.id)")
    }

    /// The address that the provider's word proves, if it proves one.
    func provedSubject(under policy: AuthPolicy) -> Evidence.Subject? {
        guard let email = identity.email, identity.word >= policy.provingWord else { return nil }
        return .email(email)
    }

    /// Why the proof cannot be used any more, or not here; nil while it can.
    func refusal(in snapshot: Snapshot, by ruling: Ruling) -> Refusal? {
        if let refusal = ruling.policy.refusal(of: identity.provider) { return refusal }
        if let pending {
            guard let capability = snapshot.record(pending.key), capability.isLive(at: ruling.now) else {
                return Refusal(.invalidCredential, .pendingIdentityIsOver)
            }
            if let seat = capability.seat, seat != ruling.context.seat {
                return Refusal(.seatMismatch, .pendingIdentityIsOfAnotherSeat)
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

    /// Uses up what the proof rests on.
    func spend(by ruling: Ruling, _ draft: inout Draft) {
        if let pending { draft.changes.capabilities.append(.consume(pending.key)) }
        if let key = singleUseKey, let use = assertion.singleUse {
            draft.changes.capabilities.append(
                .put(
                    Capability(
                        key: key,
                        account: nil,
                        createdAt: ruling.now,
                        expiresAt: Timestamp(use.expiresAt),
                        content: .usedAssertion
                    )
                )
            )
        }
    }

    /// A name that a person recognises the identity by.
    var displayName: String {
        let name = identity.username ?? identity.email?.text ?? identity.displayName
        return name.map { "\(identity.provider) user \($0)" } ?? "\(identity.provider) user"
    }
}

extension Draft {
    /// Keeps the identity for a later link or sign-in and says why it did not go through.
    mutating func conflict(
        _ code: AuthErrorCode,
        _ reason: Reason,
        over proof: FederatedProof,
        with owner: Account,
        in snapshot: Snapshot
    ) throws(Refusal) -> Refusal {
        let key: CapabilityKey
        let expiresAt: Timestamp
        if let pending = proof.pending {
            key = pending.key
            expiresAt = try (snapshot.record(pending.key)?.expiresAt).promised()
        } else {
            key = CapabilityKey(bits: ruling.fresh.capability)
            expiresAt = ruling.now + ruling.policy.lifetimes.pendingIdentity
            changes.capabilities.append(
                .put(
                    Capability(
                        key: key,
                        account: nil,
                        createdAt: ruling.now,
                        expiresAt: expiresAt,
                        seat: ruling.context.seat,
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
            pending: PendingCredential(provider: proof.identity.provider, id: key),
            expiresAt: expiresAt.date
        )
        return Refusal(code, reason, detail: .conflict(conflict))
    }
}

extension Draft {
    /// Whether the arrival may know how the account is signed in to: where anybody may, or by a proof of its address.
    private func mayKnowMethods(of owner: Account, over proof: FederatedProof) -> Bool {
        if ruling.policy.disclosure == .detailed { return true }
        guard proof.provedSubject(under: ruling.policy) != nil else { return false }
        return ruling.policy.isSameMailbox(owner.email, proof.identity.email)
    }
}

extension Account {
    /// The providers that the account lists, in the order of its methods.
    var listedProviders: [ProviderID] {
        var providers: [ProviderID] = []
        for method in methods where lists(method.kind.provider) && !providers.contains(method.kind.provider) {
            providers.append(method.kind.provider)
        }
        return providers
    }
}
