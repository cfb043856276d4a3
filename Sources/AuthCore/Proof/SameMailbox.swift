/// One mailbox under two names: Google serves gmail.com and googlemail.com as one domain.
extension AuthPolicy {
    /// Whether the policy treats both names of a mailbox as one address.
    var joinsTwins: Bool { addressReservation == .verifiedAddress }

    /// Whether both addresses name the same mailbox.
    func isSameMailbox(_ left: EmailAddress?, _ right: EmailAddress?) -> Bool {
        guard let left, let right else { return false }
        return left == right || joinsTwins && left.isTwin(of: right)
    }
}

extension Lookups {
    /// Looks up the owner of an address, under either name of the mailbox.
    mutating func insert(ownerOf email: EmailAddress?) {
        guard let email else { return }
        insert(.owner(.primaryEmail(email)))
        if let twin = email.twin { insert(.owner(.primaryEmail(twin))) }
    }

    /// Looks up the live codes of the owner of an address, under either name of the mailbox.
    mutating func insert(recordsOfOwnerOf email: EmailAddress, _ purpose: OneTimeRecord.Purpose) {
        for name in email.names { insert(.records(of: .owner(.primaryEmail(name)), purpose)) }
    }
}

extension Snapshot {
    /// The owner of an address, under either name of the mailbox.
    func owner(ofAddress email: EmailAddress?, under policy: AuthPolicy) -> Account? {
        row(owningAddress: email, under: policy)?.account
    }

    /// The owner of an address, by reference.
    func row(owningAddress email: EmailAddress?, under policy: AuthPolicy) -> Row? {
        guard let email else { return nil }
        if let owner = row(owning: .primaryEmail(email)) { return owner }
        guard policy.joinsTwins, let twin = email.twin else { return nil }
        return row(owning: .primaryEmail(twin))
    }

    /// The one-time records of a purpose about the owner of an address, under either name of the mailbox.
    func records(
        ofOwnerOf email: EmailAddress,
        _ purpose: OneTimeRecord.Purpose,
        under policy: AuthPolicy
    ) -> [OneTimeRecord] {
        for name in policy.joinsTwins ? email.names : [email] where owner(of: .primaryEmail(name)) != nil {
            return records(of: .owner(.primaryEmail(name)), purpose)
        }
        return []
    }

    /// The oldest account that displays the address and satisfies the condition, whatever the order of the store.
    func oldestAccount(referencing email: EmailAddress, where isWanted: (Account) -> Bool = { _ in true }) -> Account? {
        accounts(referencing: email).filter(isWanted).min { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

extension EmailAddress {
    /// The addresses at which mail reaches the same mailbox, this one first.
    fileprivate var names: [EmailAddress] { twin.map { [self, $0] } ?? [self] }
}

extension Evidence.Subject {
    /// The mailbox under Gmail's other domain, if it has one.
    var twin: Evidence.Subject? {
        guard case .email(let email) = self else { return nil }
        return email.twin.map { .email($0) }
    }
}

extension EmailAddress {
    /// Whether both addresses name the same mailbox.
    func isMailbox(of other: EmailAddress) -> Bool { self == other || twin == other }
}
