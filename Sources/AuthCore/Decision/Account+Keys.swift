/// The unique keys and the referenced addresses of an account, as a store keeps them.
extension Account {
    /// The unique keys that the account owns.
    package func ownedKeys(under rule: KeyRule) -> [UniqueKey] {
        var keys: [UniqueKey] = []
        keys.reserveCapacity(methods.count + 1)
        visitOwnedKeys(under: rule) { keys.append($0) }
        return keys
    }

    /// Visits each unique key once: those of the methods from this index on, and those of the addresses if requested.
    func visitOwnedKeys(
        under rule: KeyRule,
        fromMethod first: Int = 0,
        withAddresses: Bool = true,
        _ visit: (UniqueKey) -> Void
    ) {
        let own = withAddresses && reservesEmail ? email.map(rule.spelling) : nil
        if let own { visit(.primaryEmail(own)) }
        let methods = methods
        for index in first..<methods.count {
            switch methods[index].kind {
            case .federated(let identity): visit(.identity(identity.key))
            case .phone(let number): visit(.phone(number))
            case .password, .emailLink: break
            }
        }
        if !withAddresses || reservations.isEmpty { return }
        var kept: Set<EmailAddress> = []
        for address in reservations.map({ rule.spelling(of: $0.email) })
        where address != own && kept.insert(address).inserted {
            visit(.primaryEmail(address))
        }
    }

    /// Whether this is one of the account's unique keys.
    func owns(_ key: UniqueKey, under rule: KeyRule) -> Bool {
        switch key {
        case .identity(let identity): methods.contains { $0.identityKey == identity }
        case .phone(let number): methods.contains { $0.kind == .phone(number) }
        case .primaryEmail(let address):
            reservesEmail && email.map(rule.spelling) == address
                || reservations.contains { rule.spelling(of: $0.email) == address }
        }
    }

    /// The addresses of the identities from this index on, with the account's own if `withOwn`, without duplicates.
    package func referencedEmails(
        under rule: KeyRule,
        fromMethod first: Int = 0,
        withOwn: Bool = true
    ) -> [EmailAddress] {
        var addresses: [EmailAddress] = []
        if withOwn, let email { addresses.append(rule.spelling(of: email)) }
        let methods = methods
        for index in first..<methods.count {
            guard let address = methods[index].identity?.email.map(rule.spelling), !addresses.contains(address) else {
                continue
            }
            addresses.append(address)
        }
        return addresses
    }

    /// Whether the account or one of its identities has the address, in the spelling of the rule.
    func references(_ address: EmailAddress, under rule: KeyRule) -> Bool {
        email.map(rule.spelling) == address
            || methods.contains { $0.identity?.email.map(rule.spelling) == address }
    }
}

extension SignInMethod {
    /// Whether both methods give their accounts the same unique key and the same referenced address.
    func isNamed(as other: SignInMethod) -> Bool {
        switch (kind, other.kind) {
        case (.federated(let left), .federated(let right)): left.key == right.key && left.email == right.email
        case (.phone(let left), .phone(let right)): left == right
        case (.password, .password), (.emailLink, .emailLink): true
        default: false
        }
    }
}
