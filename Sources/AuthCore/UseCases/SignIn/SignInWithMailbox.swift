/// Signs in with a mailed link: to the account of the address, or to a new one.
struct SignInWithMailbox {
    let proof: MailboxProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var owner: OwnerStatus
        /// Whether the account has left the address, which is only reserved for it.
        var isLeft: Bool
        /// Whether mailed links already sign in to the account and are not suspended.
        var isLinked: Bool
        /// Whether mailed links were suspended until the owner confirms them.
        var isSuspended: Bool
        var isOwnerVerified: Bool
        var isOwnerCovered: Bool
        var isOwnerAdoptable: Bool
        var factor: FactorStatus
        var joining: AuthPolicy.Joining
        var unverifiedOwner: AuthPolicy.UnverifiedOwner
    }

    enum Finding: Sendable, Hashable {
        case create
        case signIn(removesMethods: Bool)
        case challenge
        case conflict(Reason)
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        switch facts.owner {
        case .absent: return .create
        case .disabled: throw .accountDisabled
        case .open: break
        }
        if facts.isLeft { return .conflict(.ownerEvidenceIsNotFresh) }
        if facts.isSuspended { throw .methodSuspended }
        let removesMethods: Bool
        switch facts.joining {
        case .whenVerified:
            let mayRemove = facts.unverifiedOwner == .takenOver || facts.isOwnerAdoptable
            removesMethods = !facts.isOwnerVerified && mayRemove
            if !facts.isOwnerVerified, !mayRemove, !facts.isLinked { return .conflict(.ownerEvidenceIsNotFresh) }
        case .whenCovered:
            removesMethods = facts.isOwnerAdoptable
            if !removesMethods && !facts.isLinked {
                if !facts.isOwnerVerified { return .conflict(.ownerEvidenceIsNotFresh) }
                if !facts.isOwnerCovered { return .conflict(.methodsAreNotCovered) }
            }
        }
        return facts.factor == .required ? .challenge : .signIn(removesMethods: removesMethods)
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let owner = seen.owner(ofAddress: proof.email, under: context.policy)
        // An address that the account has left is only reserved for it and does not sign in to it.
        let own = context.keyRule.isSameMailbox(owner?.email, proof.email) ? owner : nil
        let email = own?.email ?? proof.email
        let facts = Facts(
            owner: OwnerStatus(owner),
            isLeft: owner != nil && own == nil,
            isLinked: own?.signsInByLink(at: email, under: context.policy) ?? false,
            isSuspended: own?.emailLinkMethod.map { !$0.isActive } ?? false,
            isOwnerVerified: own?.isEmailVerified(under: context.policy) ?? false,
            isOwnerCovered: owner?.isCovered(by: email, under: context.policy, ignoringDisabled: true) ?? false,
            isOwnerAdoptable: own?.isAdoptable ?? false,
            factor: owner?.factorStatus(presented: factor) ?? .notEnrolled,
            joining: context.policy.joining,
            // An account whose former owner can still come back is not taken over.
            unverifiedOwner: own?.reservations.isEmpty ?? true ? context.policy.unverifiedOwner : .adopted
        )
        switch (try Self.rule(facts), owner) {
        case (.conflict(let reason), let owner?):
            throw transaction.mailboxConflict(reason, over: proof, with: owner, in: seen)
        case (.create, _):
            transaction.reasons.append(.addressIsFree)
            var account = context.newAccount
            account.email = email
            account.reservesEmail = true
            let method = account.add(.emailLink, at: context.now)
            account.note(.email(email), .mailboxCode, at: context.now)
            transaction.consume(proof.record)
            let authentication = Authentication(basis: Session.Basis(method), verified: .email(email))
            return transaction.signIn(to: &account, from: nil, authentication: authentication, by: .mailbox(email))
        case (.challenge, let owner?): throw transaction.challenge(owner, for: .signIn, over: .mailbox(proof))
        case (.signIn(let removesMethods), let owner?):
            transaction.reasons.append(.mailboxIsVerified)
            var account = owner
            if removesMethods { transaction.removeUnverifiedMethods(from: &account) }
            if facts.joining == .whenCovered, !facts.isLinked || !owner.isOwnerKnown(at: email, under: context.policy) {
                transaction.suspendUncovered(of: &account, by: email)
            }
            let method = account.allowEmailLink(at: context.now)
            account.note(.email(email), .mailboxCode, at: context.now)
            transaction.consume(proof.record)
            let authentication = Authentication(basis: Session.Basis(method), factor: factor, verified: .email(email))
            return transaction.signIn(to: &account, from: owner, authentication: authentication, by: .mailbox(email))
        case (_, nil): throw .contradiction
        }
    }
}
