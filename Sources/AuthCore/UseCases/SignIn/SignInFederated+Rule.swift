extension SignInFederated {
    /// The status of the account that has the identity.
    enum IdentityStatus: Sendable, Hashable, CaseIterable {
        case unknown
        case open
        case suspended
        case disabled
    }

    /// The status of the address.
    enum AddressStatus: Sendable, Hashable, CaseIterable {
        /// The provider states no address.
        case notStated
        /// No account has it.
        case free
        /// An account displays it because a provider once confirmed it, but does not own it.
        case displayed
        /// An account owns it.
        case owned
        /// A disabled account owns it.
        case ownedByDisabled
    }

    /// The evidence for the address on the account that owns it.
    enum OwnerEvidence: Sendable, Hashable, CaseIterable {
        /// There is none.
        case absent
        /// Evidence that is too old, or of too weak an assurance, for auto-linking.
        case old
        /// Evidence that is sufficient for auto-linking.
        case fresh
    }

    /// Everything that the decision depends on.
    struct Facts: Sendable, Hashable {
        var identity: IdentityStatus
        var address: AddressStatus
        var assurance: EmailAssurance
        var minimumAssurance: EmailAssurance
        var ownerEvidence = OwnerEvidence.absent
        /// Whether that evidence covers every method of the owner.
        var isOwnerCovered = false
        /// Whether nothing about the owner was ever verified and nothing but the address depends on it.
        var isOwnerAdoptable = false
        /// Whether the owner has another identity of the same provider or issuer.
        var hasOtherSubject = false
        /// Whether the owner removed an identity of this issuer.
        var isBlocked = false
        var factor: FactorStatus
        var accountsPerEmail: AuthPolicy.AccountsPerEmail
        var addressReservation: AuthPolicy.AddressReservation
        var joining: AuthPolicy.Joining
        var unverifiedOwner: AuthPolicy.UnverifiedOwner
        var recycledSubject: AuthPolicy.RecycledSubject
    }

    enum Finding: Sendable, Hashable {
        case signIn(Reason)
        case create(NewAccountAddress, Reason)
        case join(removesMethods: Bool, Reason)
        case challenge
        case conflict(Reason)
    }

    /// The rule, row by row: the first that matches decides.
    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        switch facts.identity {
        case .disabled: throw .accountDisabled
        case .suspended: throw .methodSuspended
        case .open: return facts.factor == .required ? .challenge : .signIn(.identityIsKnown)
        case .unknown: break
        }
        if facts.accountsPerEmail == .multiple { return .create(.notKept, .identityIsNew) }
        let proves = facts.assurance >= facts.minimumAssurance
        switch facts.address {
        case .notStated: return .create(.notKept, .identityIsNew)
        case .free:
            if facts.addressReservation == .everyAddress || proves { return .create(.reserved, .addressIsFree) }
            // If the provider only claims the address, the caller does not learn that no account has it.
            return .create(.displayed, facts.assurance > .claimed ? .addressIsFree : .addressIsOnlyClaimed)
        case .displayed:
            return facts.assurance > .claimed
                ? .conflict(.addressIsReferencedElsewhere) : .create(.displayed, .addressIsOnlyClaimed)
        case .owned, .ownedByDisabled: break
        }
        if facts.assurance == .claimed && facts.joining == .whenCovered {
            return .create(.displayed, .addressIsOnlyClaimed)
        }
        if !proves { return .conflict(.providerIsNotAuthoritative) }
        if facts.hasOtherSubject && facts.recycledSubject == .conflicts { return .conflict(.otherSubjectIsLinked) }
        if facts.isBlocked { return .conflict(.issuerIsBlocked) }
        let join = joining(facts)
        if case .conflict = join { return join }
        if facts.address == .ownedByDisabled { throw .accountDisabled }
        return facts.factor == .required ? .challenge : join
    }

    /// Whether the incoming identity joins the account that owns the address which its provider verifies.
    private static func joining(_ facts: Facts) -> Finding {
        switch facts.unverifiedOwner {
        case .takenOver where facts.ownerEvidence == .absent:
            return .join(removesMethods: true, .ownerNeverVerifiedAddress)
        case .adopted where facts.isOwnerAdoptable: return .join(removesMethods: true, .accountIsAdopted)
        case .takenOver, .adopted: if facts.ownerEvidence != .fresh { return .conflict(.ownerEvidenceIsNotFresh) }
        }
        switch facts.joining {
        case .whenVerified: return .join(removesMethods: false, .bothSidesVerifyAddress)
        case .whenCovered:
            return facts.isOwnerCovered
                ? .join(removesMethods: false, .proofCoversEverything) : .conflict(.methodsAreNotCovered)
        }
    }
}

extension SignInFederated {
    /// The facts, given the account that has the identity, or else the account that has the address.
    func facts(_ owner: Snapshot.Row?, _ holder: AddressHolding?, _ context: DecisionContext) -> Facts {
        let address: AddressStatus
        if proof.identity.email == nil {
            address = .notStated
        } else if let holder {
            address = holder.isOwner ? (holder.row.account.isDisabled ? .ownedByDisabled : .owned) : .displayed
        } else {
            address = .free
        }
        var facts = Facts(
            identity: owner?.account.status(of: proof.identity.key) ?? .unknown,
            address: address,
            assurance: proof.identity.assurance,
            minimumAssurance: context.policy.minimumAssurance,
            factor: owner?.account.factorStatus(presented: factor)
                ?? holder?.row.account.factorStatus(presented: factor) ?? .notEnrolled,
            accountsPerEmail: context.policy.accountsPerEmail,
            addressReservation: context.policy.addressReservation,
            joining: context.policy.joining,
            unverifiedOwner: context.policy.unverifiedOwner,
            recycledSubject: context.policy.recycledSubject
        )
        // If the identity has an account, or no account has the address, the other facts do not matter.
        if owner == nil, let holder {
            let account = holder.row.account
            facts.ownerEvidence = account.proof(of: holder.email, at: context.now, under: context.policy)
            facts.isOwnerCovered = account.isCovered(by: holder.email, under: context.policy)
            facts.isOwnerAdoptable = account.isAdoptable && account.email == holder.email
            facts.hasOtherSubject = !account.others(of: proof.identity).isEmpty
            facts.isBlocked = account.blockedIssuers.contains(proof.identity.key.issuer)
        }
        return facts
    }
}

extension Account {
    /// The identities of the same provider or issuer, which are other people's as far as the provider tells.
    func others(of identity: Identity) -> [SignInMethod] {
        methods.filter { method in
            method.identity.map { $0.provider == identity.provider || $0.key.issuer == identity.key.issuer } ?? false
        }
    }

    fileprivate func status(of key: Identity.Key) -> SignInFederated.IdentityStatus {
        if isDisabled { return .disabled }
        return methods.contains { !$0.isActive && $0.isIdentity(key) } ? .suspended : .open
    }

    fileprivate func proof(
        of email: EmailAddress,
        at now: Timestamp,
        under policy: AuthPolicy
    ) -> SignInFederated.OwnerEvidence {
        // What verifies an address that the account has left does not join.
        if self.email == email, hasFreshProof(of: email, at: now, under: policy) { return .fresh }
        // An address that the account left is reserved for it because it was verified once. While one is reserved, its
        // owner can still come back.
        return hasProof(of: email, under: policy) || self.email != email || !reservations.isEmpty ? .old : .absent
    }
}

/// The account that has an address, and how it has it.
struct AddressHolding: Sendable {
    let row: Snapshot.Row
    /// The name of the mailbox under which the account has it.
    let email: EmailAddress
    /// Whether the address is the account's own, rather than only displayed.
    let isOwner: Bool
}

extension FederatedProof {
    /// The account that has the address which the provider gives, under either name of the mailbox if it has two.
    func addressHolder(in seen: Snapshot, _ context: DecisionContext) -> AddressHolding? {
        guard let email = identity.email else { return nil }
        let policy = context.policy
        if let owner = seen.row(owningAddress: email, under: context.keyRule) {
            return AddressHolding(row: owner, email: owner.account.name(of: email, under: policy), isOwner: true)
        }
        if policy.addressReservation == .everyAddress { return nil }
        let displaying = seen.oldestAccount(referencing: email, context) { account in
            policy.keyRule.isSameMailbox(account.email, email)
                && account.hasProof(of: account.name(of: email, under: policy), atLeast: .confirmed)
        }
        return displaying.map {
            AddressHolding(row: Snapshot.Row($0), email: $0.name(of: email, under: policy), isOwner: false)
        }
    }
}

extension Account {
    /// The name under which the account has a mailbox that may have two.
    fileprivate func name(of email: EmailAddress, under policy: AuthPolicy) -> EmailAddress {
        let names = [self.email].compactMap(\.self) + reservations.map(\.email)
        return names.first { policy.keyRule.isSameMailbox($0, email) } ?? email
    }
}
