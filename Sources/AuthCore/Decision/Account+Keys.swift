/// The unique keys of an account, as a store keeps them.
extension Account {
    /// The unique keys that the account owns, each once.
    package func ownedKeys(under rule: KeyRule) -> [UniqueKey] {
        var keys: [UniqueKey] = []
        let own = reservesEmail ? email.map(rule.spelling) : nil
        if let own { keys.append(.primaryEmail(own)) }
        let methods = methods
        for index in methods.indices {
            switch methods[index].kind {
            case .federated(let identity): keys.append(.identity(identity.key))
            case .phone(let number): keys.append(.phone(number))
            case .password, .emailLink: break
            }
        }
        if reservations.isEmpty { return keys }
        var kept: Set<EmailAddress> = []
        for address in reservations.map({ rule.spelling(of: $0.email) })
        where address != own && kept.insert(address).inserted {
            keys.append(.primaryEmail(address))
        }
        return keys
    }
}
