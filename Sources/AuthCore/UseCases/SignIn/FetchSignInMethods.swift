/// Lists the sign-in methods of an address's account, as far as the policy discloses them to a stranger.
struct FetchSignInMethods: Operation {
    let email: EmailAddress

    func lookups(_ request: Request) -> Lookups { [request.owner(of: email), request.references(to: email)] }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> [ProviderID] {
        let context = transaction.context
        if context.policy.disclosure != .detailed {
            transaction.reasons.append(.disclosureIsWithheld)
            return []
        }
        transaction.reasons.append(.methodsAreListed)
        let owner = seen.owner(ofAddress: email, under: context.policy)
        // A provisional password is of use to its own device only.
        guard let account = owner ?? seen.oldestAccount(referencing: email, context, where: { !$0.isProvisional })
        else { return [] }
        switch context.policy.accountsPerEmail {
        case .one: return account.namedMethods
        case .multiple: return owner != nil ? account.namedMethods.filter { [.password, .emailLink].contains($0) } : []
        }
    }
}

extension Account {
    /// The sign-in methods, sorted; a number is never listed.
    fileprivate var namedMethods: [ProviderID] {
        let listed = methods.map(\.kind).filter { $0.methodKind != .phone && (email != nil || !$0.isOfAddress) }
        return Set(listed.map(\.name)).sorted()
    }
}
