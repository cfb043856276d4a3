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
        /// The provider gave none.
        case none
        /// No account has it.
        case free
        /// An account displays it because a provider once confirmed it, but does not own it.
        case shown
        /// An account owns it.
        case owned
        /// A disabled account owns it.
        case ownedByDisabled
    }

    /// The evidence for the address on the account that owns it.
    enum OwnerProof: Sendable, Hashable, CaseIterable {
        /// None.
        case none
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
        var ownerProof: OwnerProof
        /// Whether that evidence covers every method of the owner.
        var isOwnerCovered: Bool
        /// Whether nothing about the owner was ever verified and nothing but the address depends on it.
        var isOwnerAdoptable: Bool
        /// Whether the owner has another identity of the same provider.
        var hasOtherSubject: Bool
        /// Whether the owner removed an identity of this issuer.
        var isBlocked: Bool
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
        case join(strips: Bool, Reason)
        case challenge
        case conflict(Reason)
    }

    /// The rule, row by row: the first that matches decides.
    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        switch facts.identity {
        case .disabled: throw .accountDisabled
        case .suspended: throw .methodSuspended
        case .open: return facts.factor == .owed ? .challenge : .signIn(.identityIsKnown)
        case .unknown: break
        }
        if facts.accountsPerEmail == .multiple { return .create(.none, .identityIsNew) }
        let proves = facts.assurance >= facts.minimumAssurance
        switch facts.address {
        case .none:
            return .create(.none, .identityIsNew)
        case .free:
            if facts.addressReservation == .everyAddress || proves { return .create(.reserved, .addressIsFree) }
            // If the provider only claims the address, the caller does not learn that no account has it.
            return .create(.shown, facts.assurance > .claimed ? .addressIsFree : .addressIsOnlyClaimed)
        case .shown:
            return facts.assurance > .claimed
                ? .conflict(.addressIsReferencedElsewhere) : .create(.shown, .addressIsOnlyClaimed)
        case .owned, .ownedByDisabled:
            break
        }
        if facts.assurance == .claimed && facts.joining == .whenCovered {
            return .create(.shown, .addressIsOnlyClaimed)
        }
        if !proves { return .conflict(.providerIsNotAuthoritative) }
        if facts.hasOtherSubject && facts.recycledSubject == .conflicts { return .conflict(.otherSubjectIsLinked) }
        if facts.isBlocked { return .conflict(.issuerIsBlocked) }
        let join = joining(facts)
        if case .conflict = join { return join }
        if facts.address == .ownedByDisabled { throw .accountDisabled }
        return facts.factor == .owed ? .challenge : join
    }

    /// Whether the incoming identity joins the account that owns the address which its provider verifies.
    private static func joining(_ facts: Facts) -> Finding {
        switch facts.unverifiedOwner {
        case .stripped where facts.ownerProof == .none: return .join(strips: true, .ownerNeverVerifiedAddress)
        case .adopted where facts.isOwnerAdoptable: return .join(strips: true, .accountIsAdopted)
        case .stripped, .adopted: if facts.ownerProof != .fresh { return .conflict(.ownerProofIsNotFresh) }
        }
        switch facts.joining {
        case .whenVerified: return .join(strips: false, .bothSidesVerifyAddress)
        case .whenCovered:
            return facts.isOwnerCovered
                ? .join(strips: false, .proofCoversEverything) : .conflict(.methodsAreNotCovered)
        }
    }
}

extension SignInFederated.Facts {
    init(
        _ proof: FederatedProof,
        owner: Account?,
        holder: AddressHolding?,
        shown factor: FactorProof?,
        _ context: DecisionContext
    ) {
        // Field by field, so that the policy is not copied as a whole.
        let policy = context.policy
        if let owner {
            identity = owner.status(of: proof.identity.key)
        } else {
            identity = .unknown
        }
        if proof.identity.email == nil {
            address = .none
        } else if let holder {
            address = holder.isOwner ? (holder.account.isDisabled ? .ownedByDisabled : .owned) : .shown
        } else {
            address = .free
        }
        assurance = proof.identity.assurance
        minimumAssurance = policy.minimumAssurance
        if owner == nil, let holder {
            let account = holder.account
            ownerProof = account.proof(of: holder.email, at: context.now, under: policy)
            isOwnerCovered = account.isCovered(by: holder.email)
            isOwnerAdoptable = account.isAdoptable && account.email == holder.email
            hasOtherSubject = account.lists(proof.identity.provider)
            isBlocked = account.blockedIssuers.contains(proof.identity.key.issuer)
        } else {
            // If the identity has an account, or no account has the address, these facts do not matter.
            ownerProof = .none
            isOwnerCovered = false
            isOwnerAdoptable = false
            hasOtherSubject = false
            isBlocked = false
        }
        self.factor = (owner ?? holder?.account)?.factorStatus(shown: factor) ?? .none
        accountsPerEmail = policy.accountsPerEmail
        addressReservation = policy.addressReservation
        joining = policy.joining
        unverifiedOwner = policy.unverifiedOwner
        recycledSubject = policy.recycledSubject
    }
}

extension Account {
    fileprivate func status(of key: Identity.Key) -> SignInFederated.IdentityStatus {
        if isDisabled { return .disabled }
        return methods.contains { !$0.isActive && $0.identityKey == key } ? .suspended : .open
    }

    fileprivate func proof(
        of email: EmailAddress,
        at now: Timestamp,
        under policy: AuthPolicy
    ) -> SignInFederated.OwnerProof {
        if hasFreshProof(of: email, at: now, under: policy) { return .fresh }
        return hasProof(of: email, under: policy) ? .old : .none
    }
}

/// The account that has an address, and how it has it.
struct AddressHolding: Sendable {
    let account: Account
    /// The name of the mailbox under which the account has it.
    let email: EmailAddress
    /// Whether the address is the account's own, rather than only displayed.
    let isOwner: Bool
}

extension FederatedProof {
    /// The account that has the address which the provider gives, under either name of the mailbox if it has two.
    func addressHolder(in seen: Snapshot, under policy: AuthPolicy) -> AddressHolding? {
        guard let email = identity.email else { return nil }
        if let owner = seen.owner(of: .primaryEmail(email)) {
            return AddressHolding(account: owner, email: email, isOwner: true)
        }
        if policy.addressReservation == .everyAddress { return nil }
        if let owner = seen.owner(ofAddress: email, under: policy), let twin = email.twin {
            return AddressHolding(account: owner, email: twin, isOwner: true)
        }
        let shower = seen.oldestAccount(referencing: email) { account in
            account.email == email && account.hasProof(of: .email(email), atLeast: .checked)
        }
        return shower.map { AddressHolding(account: $0, email: email, isOwner: false) }
    }
}
