#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Signs in with an identity at a provider: to its account, to the account whose address it proves, or to a new one.
package struct SignInFederated: Operation {
    package typealias Outcome = SignedIn

    package let proof: FederatedProof
    package var factor: FactorProof?

    package init(proof: FederatedProof, factor: FactorProof? = nil) {
        self.proof = proof
        self.factor = factor
    }

    package var spends: [CapabilityKey] { factor?.consumes ?? [] }

    package var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.identity = proof.identity.key
        query.email = proof.identity.email
        query.capabilities = proof.capabilities
        return query
    }

    package struct Facts: Sendable, Hashable {
        /// The account that has the identity.
        package var identityOwner: OwnerStanding
        /// The account that has the address.
        package var addressOwner: OwnerStanding
        /// Whether that account proved the address.
        package var isOwnerProven: Bool
        /// Whether that account has another identity of the same provider.
        package var hasOtherSubject: Bool
        /// Whether the provider's word proves the address.
        package var isWordProof: Bool
        /// What the account in question still owes.
        package var factor: FactorStanding
        package var accountsPerEmail: AuthPolicy.AccountsPerEmail
        package var recycledSubject: AuthPolicy.RecycledSubject
    }

    package enum Finding: Sendable, Hashable {
        case signIn(Reason)
        case create(withAddress: Bool, Reason)
        case join(strips: Bool, replaces: Bool, Reason)
        case challenge
        case conflict(Reason)
        case refuse(AuthErrorCode, Reason)
    }

    package static func rule(_ facts: Facts) -> Finding {
        switch facts.identityOwner {
        case .disabled: return .refuse(.userDisabled, .accountIsDisabled)
        case .open: return facts.factor == .owed ? .challenge : .signIn(.identityIsKnown)
        case .none: break
        }
        if facts.accountsPerEmail == .multiple { return .create(withAddress: false, .identityIsNew) }
        if facts.addressOwner == .none { return .create(withAddress: true, .addressIsFree) }
        if !facts.isWordProof { return .conflict(.providerDoesNotProveAddress) }
        if facts.hasOtherSubject && facts.recycledSubject == .conflicts { return .conflict(.otherSubjectIsLinked) }
        if facts.addressOwner == .disabled { return .refuse(.userDisabled, .accountIsDisabled) }
        if facts.factor == .owed { return .challenge }
        return .join(
            strips: !facts.isOwnerProven,
            replaces: facts.hasOtherSubject,
            facts.isOwnerProven ? .bothSidesProveAddress : .ownerNeverProvedAddress
        )
    }

    package func facts(in snapshot: Snapshot, under policy: AuthPolicy) -> Facts {
        let addressOwner = snapshot.emailOwner?.account
        let subject = snapshot.identityOwner?.account ?? addressOwner
        return Facts(
            identityOwner: OwnerStanding(snapshot.identityOwner?.account),
            addressOwner: OwnerStanding(addressOwner),
            isOwnerProven: addressOwner?.isEmailVerified(under: policy) ?? false,
            hasOtherSubject: addressOwner?.lists(proof.identity.provider) ?? false,
            isWordProof: proof.identity.word >= policy.provingWord,
            factor: subject?.factorStanding(shown: factor) ?? .none,
            accountsPerEmail: policy.accountsPerEmail,
            recycledSubject: policy.recycledSubject
        )
    }

    package func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        if let refusal = proof.refusal(in: snapshot, by: ruling) { return refuse(refusal, by: ruling) }
        let finding = Self.rule(facts(in: snapshot, under: ruling.policy))
        var draft = Draft(ruling)
        switch finding {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .conflict(let reason):
            guard let owner = snapshot.emailOwner?.account else { break }
            return draft.refused(
                draft.conflict(.accountExistsWithDifferentCredential, reason, over: proof, with: owner)
            )
        case .challenge:
            guard let account = (snapshot.identityOwner ?? snapshot.emailOwner)?.account else { break }
            let stored = StoredProof.federated(proof.assertion)
            return draft.refused(
                draft.challenge(account, for: .signIn, proof: stored, generation: nil, completing: proof.pending?.key)
            )
        case .signIn(let reason):
            guard let owner = snapshot.identityOwner?.account else { break }
            draft.reasons.append(reason)
            return draft.granted(signIn(to: owner, &draft))
        case .create(let withAddress, let reason):
            draft.reasons.append(reason)
            return draft.granted(create(withAddress: withAddress, &draft))
        case .join(let strips, _, let reason):
            guard let owner = snapshot.emailOwner?.account else { break }
            draft.reasons.append(reason)
            return draft.granted(join(owner, strips: strips, &draft))
        }
        return refuse(Refusal(.internalError, .factsContradict), by: ruling)
    }

    private func signIn(to owner: Account, _ draft: inout Draft) -> SignedIn {
        var account = owner
        var basis = SessionBasis(kind: .federated, provider: proof.identity.provider, generation: nil)
        if let index = account.methods.firstIndex(where: { $0.identity?.key == proof.identity.key }) {
            basis = SessionBasis(account.methods[index])
            let fresh = Method.Kind.federated(proof.identity)
            if account.methods[index].kind != fresh { account.methods[index].kind = fresh }
        }
        proof.spend(by: draft.ruling, &draft)
        factor?.spend(in: &account, &draft)
        draft.update(owner, to: &account)
        return draft.openSession(for: account, on: basis, factor: factor)
    }

    private func create(withAddress: Bool, _ draft: inout Draft) -> SignedIn {
        let now = draft.ruling.now
        var account = Account(id: AccountID(bits: draft.ruling.fresh.account), createdAt: now)
        account.displayName = proof.identity.displayName
        account.photoURL = proof.identity.photoURL
        if withAddress, let email = proof.identity.email {
            account.email = email
            account.reservesEmail = true
            account.noteWord(of: proof.identity, at: now)
        }
        let method = account.add(.federated(proof.identity), at: now)
        proof.spend(by: draft.ruling, &draft)
        draft.create(account)
        draft.event(
            .accountCreated,
            account.id,
            by: .arrival,
            evidence: account.evidence,
            before: [],
            after: account.methodSummaries
        )
        return draft.openSession(for: account, on: SessionBasis(method), isNewUser: true)
    }

    private func join(_ owner: Account, strips: Bool, _ draft: inout Draft) -> SignedIn {
        let now = draft.ruling.now
        var account = owner
        if strips { draft.strip(&account, keeping: nil) }
        let method: Method
        if let index = account.methods.firstIndex(where: { $0.kind.provider == proof.identity.provider }) {
            method = account.replaceMethod(at: index, by: .federated(proof.identity), at: now)
        } else {
            method = account.add(.federated(proof.identity), at: now)
        }
        account.noteWord(of: proof.identity, at: now)
        switch draft.ruling.policy.joinProfile {
        case .overwrites:
            account.displayName = proof.identity.displayName
            account.photoURL = proof.identity.photoURL
        case .fillsEmpty:
            account.displayName = account.displayName ?? proof.identity.displayName
            account.photoURL = account.photoURL ?? proof.identity.photoURL
        }
        proof.spend(by: draft.ruling, &draft)
        factor?.spend(in: &account, &draft)
        draft.update(owner, to: &account)
        draft.methodsChanged(from: owner, to: account, by: .arrival)
        return draft.openSession(for: account, on: SessionBasis(method), factor: factor)
    }
}

extension Account {
    /// Notes a provider's word about an address as evidence, unless it only repeats what it was told.
    package mutating func noteWord(of identity: Identity, at now: Date) {
        guard let email = identity.email, identity.word > .claimed else { return }
        note(.email(email), .provider(identity.key, identity.word), at: now)
    }
}

extension Draft {
    /// Takes from an account everything that the person who just proved its address did not put there.
    package mutating func strip(_ account: inout Account, keeping kept: SessionID?) {
        account.methods = []
        account.firstEmail = nil
        endOtherSessions(of: &account, except: kept)
        changes.capabilities.append(
            .revokeAll(
                account.id,
                [.verifyEmail, .changeEmail, .resetPassword, .recoverEmail, .factorChallenge, .pendingIdentity]
            )
        )
        reasons.append(.unprovenMethodsAreStripped)
    }
}
