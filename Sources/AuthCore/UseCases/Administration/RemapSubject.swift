/// Changes the key of a linked identity at its provider, as when a team or tenant moves.
struct RemapSubject: Operation {
    let from: Identity.Key
    let to: Identity.Key

    func lookups(_ request: Request) -> Lookups { [.owner(.identity(from)), .owner(.identity(to))] }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        guard let old = seen.owner(of: .identity(from)),
            let index = old.methods.firstIndex(where: { $0.isIdentity(from) }),
            var identity = old.methods[index].identity
        else { throw .providerNotLinked }
        if seen.owner(of: .identity(to)) != nil { throw .identityOwned }
        transaction.reasons.append(.administratorDecides)
        var account = old
        identity.key = to
        if !identity.isBounded { throw Refusal(.invalidCredential, .identityIsImpossible) }
        account.methods[index].kind = .federated(identity)
        account.attributeEvidence(of: from, to: to)
        transaction.update(old, to: &account, by: .administrator)
        // It is the same method, and the code of a notice would suspend it.
        transaction.retractNotices(about: account.id)
    }
}
