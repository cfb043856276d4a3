/// One mailbox under two names: Google serves gmail.com and googlemail.com as one.
extension AuthPolicy {
    /// Whether the policy takes both names of a mailbox for one address.
    var joinsTwins: Bool { addressReservation == .provenAddress }

    /// Whether both are names of one mailbox.
    func isSameMailbox(_ left: EmailAddress?, _ right: EmailAddress?) -> Bool {
        guard let left, let right else { return false }
        return left == right || joinsTwins && left.isTwin(of: right)
    }
}

extension Snapshot {
    /// Who has the address that was asked for as their own, under either name of the mailbox.
    func addressOwner(under policy: AuthPolicy) -> StoredAccount? {
        emailOwner ?? (policy.joinsTwins ? twinOwner : nil)
    }

    /// The oldest of the accounts that mention the address and are looked for, in whichever order the store found them.
    func oldestMentioner(where isWanted: (Account) -> Bool) -> StoredAccount? {
        mentioners.filter { isWanted($0.account) }
            .min { ($0.account.createdAt, $0.account.id) < ($1.account.createdAt, $1.account.id) }
    }
}

extension SnapshotQuery {
    /// Asks who has an address, under either name of the mailbox.
    mutating func look(for email: EmailAddress?) {
        self.email = email
        twinEmail = email?.twin
    }
}

extension Draft {
    /// Notes that the decision rests on nobody having the mailbox under its other name, where nobody was seen to.
    mutating func expectNobody(hasTwinOf email: EmailAddress, in snapshot: Snapshot) {
        guard ruling.policy.joinsTwins, snapshot.emailOwner == nil, snapshot.twinOwner == nil, let twin = email.twin
        else { return }
        expectNobody(owns: .primaryEmail(twin))
    }
}

extension Evidence.Subject {
    /// The mailbox under its other name, if this is one that has two.
    var twin: Evidence.Subject? {
        guard case .email(let email) = self else { return nil }
        return email.twin.map { .email($0) }
    }

    /// Whether both are the same mailbox under its two names.
    func isTwin(of other: Evidence.Subject) -> Bool {
        guard case .email(let email) = self, case .email(let other) = other else { return false }
        return email.isTwin(of: other)
    }
}
