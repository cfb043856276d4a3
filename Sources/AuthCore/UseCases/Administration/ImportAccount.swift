/// Brings in an account as it was elsewhere; nothing that is there already is overwritten.
struct ImportAccount: Operation {
    /// What becomes of the account: all three are answers, since one account must not stop the others.
    enum Finding: Sendable, Hashable {
        case create
        case alreadyThere
        case conflict(UniqueKey, owner: AccountID)
    }

    let account: Account
    /// When its person last signed in there, if that is known.
    let lastSignIn: Timestamp?

    init(_ account: Account, lastSignIn: Timestamp? = nil) {
        var account = account
        account.version = 0
        // Both belong to what goes on at the place that the account comes from.
        account.hold = nil
        account.reservations = []
        self.account = account
        self.lastSignIn = lastSignIn
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups: Lookups = [.account(account.id)]
        lookups.insert(contentsOf: keys.map { .owner($0) })
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
        transaction.reasons = [.administratorDecides, .importBringsAccount]
        transaction.create(account, by: .administrator)
        // Where nobody says when it was last used, it is now: an account in use must not go for being old.
        let now = transaction.context.now
        let lastUse = min(lastSignIn ?? now, now)
        transaction.changes.signIns.append(SignInRecord(account: account.id, at: lastUse))
        return .create
    }
}

extension UniqueKey {
    /// The reason for which nobody else can have it.
    fileprivate var isOwned: Reason {
        switch self {
        case .primaryEmail: .addressIsOwned
        case .phone: .numberIsOwned
        case .identity: .identityIsOwned
        }
    }
}
