/// The result of importing an account; none is an error, since one account must not stop the others.
package enum ImportOutcome: Sendable, Hashable {
    /// The account was created.
    case created
    /// An account with its ID exists already, or existed.
    case existing
    /// Another account has a key that must be unique.
    case conflict(UniqueKey, owner: AccountID)
}

/// Imports an account from another system; existing data is never overwritten.
struct ImportAccount: Operation {
    let account: Account
    /// When the account was last signed in to in the other system, if that is known.
    let lastSignIn: Timestamp?

    init(_ account: Account, lastSignIn: Timestamp? = nil) {
        var account = account
        account.version = 0
        // Both belong to operations in progress in the system that the account comes from.
        account.mergeLock = nil
        account.reservations = []
        self.account = account
        self.lastSignIn = lastSignIn
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups: Lookups = [.account(account.id)]
        lookups.insert(contentsOf: account.ownedKeys(under: request.keyRule).map { .owner($0) })
        return lookups
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) -> ImportOutcome {
        if seen[account.id] != nil || seen.tombstone(of: account.id) != nil {
            transaction.reasons.append(.accountIsThere)
            return .existing
        }
        for key in account.ownedKeys(under: transaction.context.keyRule) {
            guard let owner = seen.owner(of: key) else { continue }
            transaction.reasons.append(key.isOwned)
            return .conflict(key, owner: owner.id)
        }
        transaction.reasons = [.administratorDecides, .importBringsAccount]
        let now = transaction.context.now
        var account = account
        // An account that may be in use must not be removed for its age, nor for a login that was long ago.
        account.dueAt = transaction.context.policy.unverifiedLifetime.map { now + $0 }
        transaction.create(account, by: .administrator)
        transaction.changes.signIns.append(Store.SignInRecord(account: account.id, at: min(lastSignIn ?? now, now)))
        return .created
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
