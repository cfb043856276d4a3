#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Signs in with a link that was mailed: to the account of the address, or to a new one.
package struct SignInWithMailbox: Operation {
    package typealias Outcome = SignedIn

    package let proof: MailboxProof
    package var factor: FactorProof?

    package init(proof: MailboxProof, factor: FactorProof? = nil) {
        self.proof = proof
        self.factor = factor
    }

    package var spends: [CapabilityKey] { factor?.consumes ?? [] }

    package var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.email = proof.email
        query.capabilities = [proof.capability]
        return query
    }

    package struct Facts: Sendable, Hashable {
        package var code: CodeStanding
        package var owner: OwnerStanding
        package var isOwnerProven: Bool
        package var factor: FactorStanding
    }

    package enum Finding: Sendable, Hashable {
        case create
        case signIn(strips: Bool)
        case challenge
        case refuse(AuthErrorCode, Reason)
    }

    package static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        switch facts.owner {
        case .none: return .create
        case .disabled: return .refuse(.userDisabled, .accountIsDisabled)
        case .open: return facts.factor == .owed ? .challenge : .signIn(strips: !facts.isOwnerProven)
        }
    }

    package func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .emailLink) { return refuse(refusal, by: ruling) }
        let owner = snapshot.emailOwner?.account
        let facts = Facts(
            code: snapshot.signInLinkStanding(proof, by: ruling),
            owner: OwnerStanding(owner),
            isOwnerProven: owner?.isEmailVerified(under: ruling.policy) ?? false,
            factor: owner?.factorStanding(shown: factor) ?? .none
        )
        var draft = Draft(ruling)
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .create:
            draft.reasons.append(.addressIsFree)
            var account = Account(id: AccountID(bits: ruling.fresh.account), createdAt: ruling.now)
            account.email = proof.email
            account.reservesEmail = true
            let method = account.add(.emailLink, at: ruling.now)
            account.note(.email(proof.email), .mailboxCode, at: ruling.now)
            draft.changes.capabilities.append(.consume(proof.capability))
            draft.create(account)
            draft.event(
                .accountCreated,
                account.id,
                by: .mailbox(proof.email),
                evidence: account.evidence,
                before: [],
                after: account.methodSummaries
            )
            return draft.granted(draft.openSession(for: account, on: SessionBasis(method), isNewUser: true))
        case .challenge:
            guard let owner else { break }
            let stored = StoredProof.mailbox(proof.email, proof.capability)
            return draft.refused(draft.challenge(owner, for: .signIn, proof: stored, generation: nil))
        case .signIn(let strips):
            guard let owner else { break }
            draft.reasons.append(.mailboxIsProven)
            var account = owner
            if strips { draft.strip(&account, keeping: nil) }
            let method = account.allowEmailLink(at: ruling.now)
            account.note(.email(proof.email), .mailboxCode, at: ruling.now)
            draft.changes.capabilities.append(.consume(proof.capability))
            factor?.spend(in: &account, &draft)
            draft.update(owner, to: &account)
            draft.methodsChanged(from: owner, to: account, by: .mailbox(proof.email))
            return draft.granted(draft.openSession(for: account, on: SessionBasis(method), factor: factor))
        }
        return refuse(Refusal(.internalError, .factsContradict), by: ruling)
    }
}

/// What is known of a code that was presented.
package enum CodeStanding: Sendable, Hashable, CaseIterable {
    case good
    case unknown
    case expired
    case ofAnotherSeat
    /// The account has moved on from what the code was bound to.
    case outdated

    /// The refusal of a mailed code; nil for a good one.
    package var refusal: Refusal? {
        switch self {
        case .good: nil
        case .unknown: Refusal(.invalidActionCode, .codeIsUnknown)
        case .expired: Refusal(.expiredActionCode, .codeIsExpired)
        case .ofAnotherSeat: Refusal(.seatMismatch, .codeIsOfAnotherSeat)
        case .outdated: Refusal(.invalidActionCode, .codeIsOutdated)
        }
    }
}

extension Snapshot {
    /// What a capability of the expected contents is worth now; nil contents mean it is of another kind.
    package func standing(
        of key: CapabilityKey,
        by ruling: Ruling,
        matches: (Capability.Content) -> Bool
    ) -> CodeStanding {
        guard let capability = capability(key), matches(capability.content) else { return .unknown }
        if !capability.isLive(at: ruling.now) { return .expired }
        if let seat = capability.seat, seat != ruling.context.seat { return .ofAnotherSeat }
        return .good
    }

    package func signInLinkStanding(_ proof: MailboxProof, by ruling: Ruling) -> CodeStanding {
        standing(of: proof.capability, by: ruling) { $0 == .signInLink(proof.email) }
    }

    package func phoneCodeStanding(_ proof: PhoneProof, by ruling: Ruling) -> CodeStanding {
        standing(of: proof.capability, by: ruling) { content in
            switch content {
            case .phoneCode(let code): code.number == proof.number && code.use == .method
            case .phoneOwnership(let number): number == proof.number
            default: false
            }
        }
    }
}
