#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Adds an identity at a provider to the account of the acting session.
package struct LinkFederated: ActingOperation {
    package typealias Outcome = SignedIn

    package var sensitivity: SensitiveOperation? { .link }

    package let handle: ActingHandle
    package let proof: FederatedProof
    package var factor: FactorProof?

    package init(handle: ActingHandle, proof: FederatedProof, factor: FactorProof? = nil) {
        self.handle = handle
        self.proof = proof
        self.factor = factor
    }

    package var spends: [CapabilityKey] { factor?.consumes ?? [] }

    package var query: SnapshotQuery {
        var query = handle.query
        query.identity = proof.identity.key
        query.email = proof.identity.email
        query.capabilities = proof.capabilities
        return query
    }

    package struct Facts: Sendable, Hashable {
        package var isProviderLinked: Bool
        package var isIdentityOwned: Bool
        /// Whether the address is the primary one of somebody else.
        package var isAddressOfAnother: Bool
        package var factor: FactorStanding
        package var accountsPerEmail: AuthPolicy.AccountsPerEmail
    }

    package enum Finding: Sendable, Hashable {
        case link
        case challenge
        case conflict(AuthErrorCode, Reason)
        case refuse(AuthErrorCode, Reason)
    }

    package static func rule(_ facts: Facts) -> Finding {
        if facts.isProviderLinked { return .refuse(.providerAlreadyLinked, .providerIsLinked) }
        if facts.isIdentityOwned { return .conflict(.credentialAlreadyInUse, .identityIsOwned) }
        if facts.accountsPerEmail == .one && facts.isAddressOfAnother {
            return .conflict(.emailAlreadyInUse, .addressIsOwned)
        }
        return facts.factor == .owed ? .challenge : .link
    }

    package func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        if let refusal = proof.refusal(in: snapshot, by: ruling) { return refuse(refusal, by: ruling) }
        let addressOwner = snapshot.emailOwner?.account
        let facts = Facts(
            isProviderLinked: acting.account.lists(proof.identity.provider),
            isIdentityOwned: snapshot.identityOwner != nil,
            isAddressOfAnother: addressOwner.map { $0.id != acting.account.id } ?? false,
            factor: acting.account.factorStanding(in: acting.session, shown: factor),
            accountsPerEmail: ruling.policy.accountsPerEmail
        )
        var draft = Draft(ruling)
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .conflict(let code, let reason):
            guard let other = (snapshot.identityOwner ?? snapshot.emailOwner)?.account else { break }
            return draft.refused(draft.conflict(code, reason, over: proof, with: other))
        case .challenge:
            return draft.refused(
                draft.challenge(
                    acting.account,
                    for: .change(acting.session.id),
                    proof: .federated(proof.assertion),
                    generation: nil,
                    completing: proof.pending?.key
                )
            )
        case .link:
            draft.reasons.append(.personAddsMethod)
            return draft.granted(link(acting, snapshot.lastSignIn, &draft))
        }
        return refuse(Refusal(.internalError, .factsContradict), by: ruling)
    }

    private func link(_ acting: ActingSession, _ lastSignIn: Date?, _ draft: inout Draft) -> SignedIn {
        let now = draft.ruling.now
        var account = acting.account
        let method = account.add(.federated(proof.identity), at: now)
        if account.email == nil, let email = proof.identity.email, draft.ruling.policy.accountsPerEmail == .one {
            account.email = email
            account.reservesEmail = true
        }
        if account.email == proof.identity.email { account.noteWord(of: proof.identity, at: now) }
        proof.spend(by: draft.ruling, &draft)
        factor?.spend(in: &account, &draft)
        draft.update(acting.account, to: &account)
        draft.methodsChanged(from: acting.account, to: account, by: .session(acting.session.id))
        return draft.keepSession(
            acting.session,
            for: account,
            on: SessionBasis(method),
            factor: factor,
            renewsProof: true,
            lastSignIn: lastSignIn
        )
    }
}
