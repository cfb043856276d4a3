/// The keys of addresses: every lookup and every write of one comes from here.
extension AuthPolicy {
    /// How the keys of addresses are made.
    package var keyRule: KeyRule { addressReservation == .verifiedAddress ? .mailbox : .address }

    /// The key of an address, which at most one account can own.
    package func key(for email: EmailAddress) -> UniqueKey { keyRule.key(for: email) }
}

extension KeyRule {
    /// The key of an address.
    func key(for email: EmailAddress) -> UniqueKey { .primaryEmail(spelling(of: email)) }

    /// Whether both addresses have the same key.
    func isSameMailbox(_ left: EmailAddress?, _ right: EmailAddress?) -> Bool {
        guard let left, let right else { return false }
        return left == right || self == .mailbox && left.mailbox == right.mailbox
    }
}

extension Request {
    /// The lookup of the owner of an address.
    func owner(of email: EmailAddress) -> Lookup { .owner(keyRule.key(for: email)) }

    /// The lookup of the accounts that reference an address.
    func references(to email: EmailAddress) -> Lookup { .referencing(keyRule.spelling(of: email)) }
}

extension Snapshot {
    /// The owner of an address.
    func owner(ofAddress email: EmailAddress?, under policy: AuthPolicy) -> Account? {
        row(owningAddress: email, under: policy.keyRule)?.account
    }

    /// The owner of an address, if that is another account than the one with this ID.
    func otherOwner(ofAddress email: EmailAddress?, than id: AccountID, under policy: AuthPolicy) -> Account? {
        owner(ofAddress: email, under: policy).flatMap { $0.id == id ? nil : $0 }
    }

    /// The account that has an address; one that has left it, and for which it is only kept, has it no more.
    func account(having email: EmailAddress, under policy: AuthPolicy) -> Account? {
        owner(ofAddress: email, under: policy).flatMap { policy.keyRule.isSameMailbox($0.email, email) ? $0 : nil }
    }

    /// The owner of an address, by reference.
    func row(owningAddress email: EmailAddress?, under rule: KeyRule) -> Row? {
        email.flatMap { row(owning: rule.key(for: $0)) }
    }

    /// The oldest account that references the address and satisfies the condition, whatever the order of the store.
    ///
    /// One whose deletion is due counts as deleted.
    func oldestAccount(
        referencing email: EmailAddress,
        _ context: DecisionContext,
        where isWanted: (Account) -> Bool = { _ in true }
    ) -> Account? {
        accounts(referencing: context.keyRule.spelling(of: email))
            .filter { !$0.isDeletionDue(at: context.now) && isWanted($0) }
            .min { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}
