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
    func refusal(in snapshot: Snapshot, _ context: DecisionContext) -> Refusal? {
        if let refusal = context.policy.refusal(of: identity.provider) { return refusal }
        if let pending {
            guard let capability = snapshot.record(pending.key), capability.isLive(at: context.now) else {
                return Refusal(.invalidCredential, .pendingIdentityIsOver)
            }
            if let seat = capability.seat, seat != context.seat {
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
    func spend(_ context: DecisionContext, _ transaction: inout Transaction) {
        if let pending { transaction.changes.capabilities.append(.consume(pending.key)) }
        if let key = singleUseKey, let use = assertion.singleUse {
            transaction.changes.capabilities.append(
                .put(
                    Capability(
                        key: key,
                        account: nil,
                        createdAt: context.now,
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

extension Transaction {
    /// The refusal of an identity that met a conflict, which keeps it for a later link or sign-in.
    func conflict(
        _ code: AuthErrorCode,
        _ reason: Reason,
        over proof: FederatedProof,
        with owner: Account,
        in snapshot: Snapshot
    ) -> Refusal {
        let key: CapabilityKey
        let expiresAt: Timestamp
        var writes: [CapabilityChange] = []
        if let pending = proof.pending {
            key = pending.key
            expiresAt = snapshot.record(pending.key)?.expiresAt ?? context.now
        } else {
            key = CapabilityKey(bits: context.fresh.capability)
            expiresAt = context.now + context.policy.lifetimes.pendingIdentity
            writes.append(
                .put(
                    Capability(
                        key: key,
                        account: nil,
                        createdAt: context.now,
                        expiresAt: expiresAt,
                        seat: context.seat,
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
        return Refusal(code, reason, detail: .conflict(conflict), writing: writes)
    }
}

extension Transaction {
    /// Whether the arrival may know how the account is signed in to: where anybody may, or by a proof of its address.
    private func mayKnowMethods(of owner: Account, over proof: FederatedProof) -> Bool {
        if context.policy.disclosure == .detailed { return true }
        guard proof.provedSubject(under: context.policy) != nil else { return false }
        return context.policy.isSameMailbox(owner.email, proof.identity.email)
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
