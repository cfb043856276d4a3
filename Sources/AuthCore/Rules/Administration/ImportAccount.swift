/// Brings in an account as it was elsewhere; nothing that is there already is overwritten.
struct ImportAccount: Operation {
    typealias Outcome = Finding

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

    var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.account = account.id
        query.email = account.reservesEmail ? account.email : nil
        query.phone = account.phoneNumber
        query.identities = account.identities.map(\.key)
        return query
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Finding> {
        var draft = Draft(ruling)
        if snapshot.account != nil || snapshot.tombstone != nil {
            draft.reasons.append(.accountIsThere)
            return draft.granted(.alreadyThere)
        }
        if let owner = snapshot.emailOwner?.account.id, let email = account.email {
            draft.reasons.append(.addressIsOwned)
            return draft.granted(.conflict(.primaryEmail(email), owner: owner))
        }
        if let owner = snapshot.phoneOwner?.account.id, let number = account.phoneNumber {
            draft.reasons.append(.numberIsOwned)
            return draft.granted(.conflict(.phone(number), owner: owner))
        }
        let keys = account.identities.map(\.key)
        for owner in snapshot.identityOwners.map(\.account) {
            for key in keys where owner.method(for: key) != nil {
                draft.reasons.append(.identityIsOwned)
                return draft.granted(.conflict(.identity(key), owner: owner.id))
            }
        }
        draft.reasons = [.administratorDecides, .importBringsAccount]
        draft.create(account, by: .administrator)
        // Where nobody says when it was last used, it is now: an account in use must not go for being old.
        let lastUse = min(lastSignIn ?? ruling.now, ruling.now)
        draft.changes.signIns.append(SignInRecord(account: account.id, at: lastUse))
        return draft.granted(.create)
    }
}
