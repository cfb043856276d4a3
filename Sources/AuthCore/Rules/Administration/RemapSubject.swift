/// Gives a linked identity another name at its provider, as when a team or tenant moves.
struct RemapSubject: Operation {
    typealias Outcome = Account

    let from: IdentityKey
    let to: IdentityKey

    init(from: IdentityKey, to: IdentityKey) {
        self.from = from
        self.to = to
    }

    func lookups(_ request: Request) -> Lookups { [.owner(.identity(from)), .owner(.identity(to))] }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        guard let old = snapshot.owner(of: .identity(from)),
            let index = old.methods.firstIndex(where: { $0.identity?.key == from }),
            let identity = old.methods[index].identity
        else { return refuse(Refusal(.noSuchProvider, .providerIsNotLinked), by: ruling) }
        if snapshot.owner(of: .identity(to)) != nil {
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
