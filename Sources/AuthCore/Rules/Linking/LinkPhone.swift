/// Adds a number to the account of the acting session, or renews the proof of the one it has.
struct LinkPhone: LinkingStep {
    let proof: PhoneProof
    /// Whether the account's own number may be shown again.
    let renews: Bool
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        /// Whether a number is linked, and this does not renew its proof.
        var isProviderLinked: Bool
        var code: CodeStanding
        var isNumberOfAnother: Bool
        /// Whether the number is a second factor of the account, and the policy wants another for signing in.
        var isFactorNumber: Bool
        var factor: FactorStanding
        var phoneWithFactors: AuthPolicy.PhoneWithFactors
    }

    enum Finding: Sendable, Hashable {
        case link
        case challenge
        case conflict(AuthErrorCode, Reason)
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if facts.isProviderLinked { return .refuse(.providerAlreadyLinked, .providerIsLinked) }
        if let refusal = facts.code.phoneRefusal { return .refuse(refusal.code, refusal.reason) }
        if facts.isNumberOfAnother { return .conflict(.credentialAlreadyInUse, .numberIsOwned) }
        if facts.isFactorNumber { return .refuse(.secondFactorAlreadyEnrolled, .factorIsEnrolled) }
        if facts.factor != .none && facts.phoneWithFactors == .refused {
            return .refuse(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere)
        }
        return facts.factor == .owed ? .challenge : .link
    }

    /// Whether it is the account's own number, whose proof is renewed.
    private func isOwnAgain(_ account: Account) -> Bool { renews && account.phoneNumber == proof.number }

    /// Decides as a further step of a draft, for an account and a session that the draft may have made or changed.
    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        continuing draft: consuming Draft
    ) -> Decision<SignedIn> {
        let ruling = draft.ruling
        if let refusal = ruling.policy.refusal(of: .phone) { return refuse(refusal, by: ruling) }
        let facts = Facts(
            isProviderLinked: acting.account.phoneMethod?.isActive ?? false && !isOwnAgain(acting.account),
            code: snapshot.phoneCodeStanding(proof, by: ruling),
            isNumberOfAnother: snapshot.owner(of: .phone(proof.number)).map { $0.id != acting.account.id } ?? false,
            isFactorNumber: ruling.policy.factorChangeNeedsFactor
                && acting.account.factors.contains { $0.phoneNumber == proof.number },
            factor: acting.account.factorStanding(in: acting.session, shown: factor),
            phoneWithFactors: ruling.policy.phoneWithFactors
        )
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .conflict(let code, let reason):
            return draft.refused(draft.phoneConflict(code, reason, over: proof, in: snapshot))
        case .challenge:
            let stored = StoredProof.phone(proof.number, proof.capability)
            return draft.refused(
                draft.challenge(acting.account, for: .change(acting.session.id), proof: stored, generation: nil)
            )
        case .link:
            draft.reasons.append(.personAddsMethod)
            var account = acting.account
            let method = account.confirm(account.setPhone(proof.number, at: ruling.now))
            account.note(.phone(proof.number), .phoneCode, at: ruling.now)
            draft.changes.capabilities.append(.consume(proof.capability))
            draft.raiseEpoch(of: &account, after: acting, except: acting.session.id)
            return draft.granted(
                draft.keep(
                    acting,
                    with: &account,
                    showing: acting.adding(method, factor: factor, proved: .phone(proof.number), under: ruling.policy),
                    lastSignIn: snapshot.lastSignIn(of: account.id)
                )
            )
        }
    }
}

extension Draft {
    /// Keeps the proof of a number that belongs to another account, so that its owner can go there without another code.
    mutating func phoneConflict(
        _ code: AuthErrorCode,
        _ reason: Reason,
        over proof: PhoneProof,
        in snapshot: Snapshot
    ) -> Refusal {
        let key: CapabilityKey
        var expiresAt = ruling.now + ruling.policy.lifetimes.pendingIdentity
        if let held = snapshot.record(proof.capability), held.purpose == .phoneOwnership {
            key = held.key
            expiresAt = held.expiresAt ?? expiresAt
        } else {
            key = CapabilityKey(bits: ruling.fresh.capability)
            changes.capabilities.append(.consume(proof.capability))
            changes.capabilities.append(
                .put(
                    Capability(
                        key: key,
                        account: nil,
                        createdAt: ruling.now,
                        expiresAt: expiresAt,
                        seat: ruling.context.seat,
                        content: .phoneOwnership(proof.number)
                    )
                )
            )
        }
        let conflict = Conflict(
            provider: .phone,
            email: nil,
            displayName: "phone number \(proof.number.masked)",
            existingProviders: [],
            pending: PendingCredential(provider: .phone, id: key),
            expiresAt: expiresAt.date
        )
        return Refusal(code, reason, detail: .conflict(conflict))
    }
}
