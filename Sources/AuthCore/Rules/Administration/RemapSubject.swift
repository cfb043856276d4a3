/// Gives a linked identity another name at its provider, as when a team or tenant moves.
struct RemapSubject: Operation {
    typealias Outcome = Account

    let from: IdentityKey
    let to: IdentityKey

    init(from: IdentityKey, to: IdentityKey) {
        self.from = from
        self.to = to
    }

    var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.identity = from
        query.otherIdentity = to
        return query
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        guard let old = snapshot.identityOwner?.account,
            let index = old.methods.firstIndex(where: { $0.identity?.key == from }),
            let identity = old.methods[index].identity
        else { return refuse(Refusal(.noSuchProvider, .providerIsNotLinked), by: ruling) }
        if snapshot.otherIdentityOwner != nil {
            return refuse(Refusal(.credentialAlreadyInUse, .identityIsOwned), by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.administratorDecides)
        var account = old
        account.methods[index].kind = .federated(
            Identity(
                key: to,
                provider: identity.provider,
                email: identity.email,
                word: identity.word,
                displayName: identity.displayName,
                photoURL: identity.photoURL,
                username: identity.username
            )
        )
        draft.update(old, to: &account, by: .administrator)
        return draft.granted(account)
    }
}
