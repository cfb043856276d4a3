/// Signs in with a custom token of the app's own server, to the account that it names.
struct SignInWithCustomToken {
    let proof: CustomTokenProof
    var factor: FactorProof?

    enum AccountStatus: Sendable, Hashable, CaseIterable {
        case none
        case open
        case disabled
        case deleted
        case merged
    }

    struct Facts: Sendable, Hashable {
        var account: AccountStatus
        var factor: FactorStatus
    }

    enum Finding: Sendable, Hashable {
        case create
        case signIn
        case challenge
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        switch facts.account {
        case .none: return .create
        case .disabled: throw .accountDisabled
        case .deleted: throw .accountGone
        case .merged: throw .accountMerged
        case .open: return facts.factor == .owed ? .challenge : .signIn
        }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let owner = seen[proof.account]
        let facts = Facts(account: status(in: seen), factor: owner?.factorStatus(shown: factor) ?? .none)
        var account: Account
        switch (try Self.rule(facts), owner) {
        case (.challenge, let owner?):
            throw transaction.challenge(owner, for: .signIn, over: .customToken(proof))
        case (.create, _): account = Account(id: proof.account, createdAt: context.now)
        case (.signIn, let owner?): account = owner
        case (_, nil): throw .contradiction
        }
        transaction.reasons.append(.serverVouches)
        // The account belongs to a person from now on, and a guest's session may be another's.
        if owner != nil, account.isAnonymous {
            transaction.raiseSessionGeneration(of: &account, for: .firstMethod, except: nil)
        }
        account.acceptsCustomTokens = true
        account.isAnonymous = false
        var authentication = Authentication(.customToken, factor: factor)
        authentication.authenticatedAt = proof.authenticatedAt(context)
        authentication.claims = proof.claims
        return transaction.signIn(to: &account, from: owner, authentication: authentication)
    }

    private func status(in seen: Snapshot) -> AccountStatus {
        if let account = seen[proof.account] { return account.isDisabled ? .disabled : .open }
        guard case .tombstone(let successor)? = seen.tombstone(of: proof.account)?.content else { return .none }
        return successor == nil ? .deleted : .merged
    }
}
