/// Gives a linked identity another name at its provider, as when a team or tenant moves.
struct RemapSubject: DecidingOperation {
    typealias Outcome = Account

    let from: IdentityKey
    let to: IdentityKey

    init(from: IdentityKey, to: IdentityKey) {
        self.from = from
        self.to = to
    }

    func lookups(_ request: Request) -> Lookups { [.owner(.identity(from)), .owner(.identity(to))] }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<Account> {
        guard let old = snapshot.owner(of: .identity(from)),
            let index = old.methods.firstIndex(where: { $0.identity?.key == from }),
            let identity = old.methods[index].identity
        else { return refuse(Refusal(.noSuchProvider, .providerIsNotLinked), context) }
        if snapshot.owner(of: .identity(to)) != nil {
            return refuse(Refusal(.credentialAlreadyInUse, .identityIsOwned), context)
        }
        var transaction = Transaction(context)
        transaction.reasons.append(.administratorDecides)
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
        transaction.update(old, to: &account, by: .administrator)
        return transaction.granted(account)
    }
}
