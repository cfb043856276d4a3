/// The unique keys of an account, as a store keeps them.
extension Account {
    /// The unique keys that the account owns, each once: those of the methods from this index on, and those of the
    /// addresses if requested.
    package func ownedKeys(under rule: KeyRule, fromMethod first: Int = 0, withAddresses: Bool = true) -> [UniqueKey] {
        var keys: [UniqueKey] = []
        let own = withAddresses && reservesEmail ? email.map(rule.spelling) : nil
        if let own { keys.append(.primaryEmail(own)) }
        let methods = methods
        for index in first..<methods.count {
            switch methods[index].kind {
            case .federated(let identity): keys.append(.identity(identity.key))
            case .phone(let number): keys.append(.phone(number))
            case .password, .emailLink: break
            }
        }
        if !withAddresses || reservations.isEmpty { return keys }
        var kept: Set<EmailAddress> = []
        for address in reservations.map({ rule.spelling(of: $0.email) })
        where address != own && kept.insert(address).inserted {
            keys.append(.primaryEmail(address))
        }
        return keys
    }

    /// Whether this is one of the account's unique keys.
    func owns(_ key: UniqueKey, under rule: KeyRule) -> Bool {
        switch key {
        case .identity(let identity): methods.contains { $0.isIdentity(identity) }
        case .phone(let number): methods.contains { $0.kind == .phone(number) }
        case .primaryEmail(let address):
            reservesEmail && email.map(rule.spelling) == address
                || reservations.contains { rule.spelling(of: $0.email) == address }
        }
    }
}

extension SignInMethod.Kind {
    /// Whether both give their accounts the same unique key and the same referenced address.
    func isNamed(as other: SignInMethod.Kind) -> Bool {
        guard case .federated(let left) = self, case .federated(let right) = other else {
            return isSameMethod(as: other)
        }
        return left.key == right.key && left.email == right.email
    }
}
