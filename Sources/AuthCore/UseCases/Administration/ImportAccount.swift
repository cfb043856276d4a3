/// Imports an account from another system; existing data is never overwritten.
struct ImportAccount: Operation {
    /// What becomes of the account; all three are outcomes, not errors, since one account must not stop the others.
    enum Finding: Sendable, Hashable {
        case create
        case alreadyThere
        case conflict(UniqueKey, owner: AccountID)
    }

    let account: Account
    /// When the account was last signed in to in the other system, if that is known.
    let lastSignIn: Timestamp?

    init(_ account: Account, lastSignIn: Timestamp? = nil) {
        var account = account
        account.version = 0
        // Both belong to operations in progress in the system that the account comes from.
        account.hold = nil
        account.reservations = []
        self.account = account
        self.lastSignIn = lastSignIn
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups: Lookups = [.account(account.id)]
        lookups.insert(contentsOf: keys.map { .owner($0) })
        if account.reservesEmail { lookups.insert(ownerOf: account.email) }
        return lookups
    }

    private var keys: [UniqueKey] {
        var keys: [UniqueKey] = []
        if let email = account.email, account.reservesEmail { keys.append(.primaryEmail(email)) }
        if let number = account.phoneNumber { keys.append(.phone(number)) }
        return keys + account.identities.map { .identity($0.key) }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) -> Finding {
        if seen[account.id] != nil || seen.tombstone(of: account.id) != nil {
            transaction.reasons.append(.accountIsThere)
            return .alreadyThere
        }
        for key in keys {
            guard let owner = seen.owner(of: key) else { continue }
            transaction.reasons.append(key.isOwned)
            return .conflict(key, owner: owner.id)
        }
        if account.reservesEmail, let email = account.email {
            // The mailbox may have an owner under Gmail's other domain.
            if let owner = seen.owner(ofAddress: email, under: transaction.context.policy) {
                transaction.reasons.append(.addressIsOwned)
                return .conflict(.primaryEmail(owner.email ?? email), owner: owner.id)
            }
            transaction.expectNobody(hasTwinOf: email, in: seen)
        }
        transaction.reasons = [.administratorDecides, .importBringsAccount]
        transaction.create(account, by: .administrator)
        // If the last use is unknown, use the current time: an account in use must not be removed for its age.
        let now = transaction.context.now
        let lastUse = min(lastSignIn ?? now, now)
        transaction.changes.signIns.append(SignInRecord(account: account.id, at: lastUse))
        return .create
    }
}

extension UniqueKey {
    /// The reason why no other account can have the key.
    fileprivate var isOwned: Reason {
        switch self {
        case .primaryEmail: .addressIsOwned
        case .phone: .numberIsOwned
        case .identity: .identityIsOwned
        }
    }
}
