extension Account {
    /// The verified addresses at which the owner is notified: the account's own and those of its usable methods.
    func noticeAddresses(verifiedFrom assurance: EmailAssurance) -> [EmailAddress] {
        var addresses: [EmailAddress] = []
        func add(_ address: EmailAddress?) {
            guard let address, !addresses.contains(address) else { return }
            if hasProof(of: address, atLeast: assurance) { addresses.append(address) }
        }
        // The account's own address comes first, then those of its methods in order.
        add(email)
        for index in methods.indices where methods[index].isActive { add(methods[index].identity?.email) }
        return addresses
    }

    /// Since when the address has been verified; nil if it is not.
    ///
    /// An address that only an identity names is no older than the identity, even if it was verified before.
    func verifiedSince(_ address: EmailAddress, under policy: AuthPolicy) -> Timestamp? {
        let first = firstVerification(of: address.mailbox, under: policy)
        if address.mailbox == email?.mailbox { return first }
        let named = methods.lazy.filter { $0.isActive && $0.identity?.email == address }.map(\.seniorSince).min()
        return first.map { max($0, named ?? $0) }
    }

    private func firstVerification(of mailbox: EmailAddress, under policy: AuthPolicy) -> Timestamp? {
        var first: Timestamp?
        // A loop over indices and not closures, which would copy the policy or the evidence.
        for index in evidence.indices where evidence[index].subject.mailbox == .email(mailbox) {
            guard evidence[index].counts(under: policy) else { continue }
            first = min(first ?? evidence[index].firstAt, evidence[index].firstAt)
        }
        return first
    }
}
