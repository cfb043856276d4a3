@testable import AuthCore

extension Invariants {
    /// I3: an account that is not anonymous can be entered, unless nothing of it was ever verified.
    func waysIn(of account: Account, in view: StoreView) -> [String] {
        guard policy.lastMethod == .kept, !account.isAnonymous, !account.acceptsCustomTokens, account.wasEverVerified,
            account.usableMethods(under: policy).isEmpty
        else { return [] }
        // A mail to a verified address brings back what was suspended; who relied on an address that another person
        // verified had no sign-in method that was theirs.
        if account.isEmailVerified(under: policy) && account.methods.contains(where: { !$0.isActive }) { return [] }
        return view.gaveWay(account.id) ? [] : ["nothing opens \(account.id)"]
    }

    /// What every account is in itself.
    func soundness(of account: Account) -> [String] {
        var found: [String] = []
        let who = account.id
        // A guest's password without an address opens nothing.
        let opens = account.methods.contains { account.email != nil || $0.kind.methodKind != .password }
        if account.isAnonymous && opens { found.append("\(who) is anonymous and has methods") }
        let generations = account.methods.map(\.generation) + account.factors.map(\.generation)
        if Set(generations).count != generations.count { found.append("\(who) counts a generation twice") }
        if generations.contains(where: { $0 >= account.nextGeneration }) {
            found.append("\(who) has a generation that is still to come")
        }
        for (index, method) in account.methods.enumerated() {
            let isAgain = account.methods[..<index].contains {
                $0.kind.methodKind == method.kind.methodKind && $0.kind.provider == method.kind.provider
            }
            if isAgain { found.append("\(who) has two methods of \(method.kind.provider)") }
        }
        if account.evidence.count > Account.evidenceLimit { found.append("\(who) keeps too much evidence") }
        if account.email == nil, account.reservesEmail { found.append("\(who) owns an address it has not") }
        guard policy.accountsPerEmail == .one, let email = account.email, !account.reservesEmail,
            !account.isProvisional
        else { return found }
        if account.isEmailVerified(under: policy) { found.append("\(who) has verified \(email) and does not own it") }
        if account.lists(.password) { found.append("\(who) signs in under \(email) and does not own it") }
        return found
    }
}

extension Account {
    /// The unique keys that the account must own, read off its parts one by one.
    func claims(under policy: AuthPolicy) -> Set<UniqueKey> {
        var keys = Set(identities.map { UniqueKey.identity($0.key) })
        if let phoneNumber { keys.insert(.phone(phoneNumber)) }
        if let email, reservesEmail { keys.insert(policy.key(for: email)) }
        for reservation in reservations { keys.insert(policy.key(for: reservation.email)) }
        return keys
    }
}

extension StoreView {
    /// Every address that anybody has or had.
    func addressesEver(under rule: KeyRule) -> Set<EmailAddress> {
        var addresses = Set(accounts.flatMap { $0.emailReferences(under: rule).map(\.email) })
        for account in accounts { addresses.formUnion(account.reservations.map { rule.spelling(of: $0.email) }) }
        for subject in events.flatMap(\.evidence).map(\.subject) {
            if case .email(let address) = subject { addresses.insert(rule.spelling(of: address)) }
        }
        return addresses
    }

    /// Every unique key that anybody has or had.
    func keysEver(under policy: AuthPolicy) -> Set<UniqueKey> {
        var keys = Set(accounts.flatMap { $0.claims(under: policy) })
        for method in events.flatMap({ ($0.before ?? []) + ($0.after ?? []) }) {
            if let identity = method.identity { keys.insert(.identity(identity)) }
            if let number = method.phoneNumber { keys.insert(.phone(number)) }
        }
        return keys.union(addressesEver(under: policy.keyRule).map { .primaryEmail($0) })
    }
}
