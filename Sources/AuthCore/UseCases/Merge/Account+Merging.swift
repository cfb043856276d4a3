extension Account {
    /// Whether the evidence is about the account's address, one of its numbers or one of its identities.
    func isVerified(by piece: Evidence) -> Bool {
        if case .provider(let key, _) = piece.source, method(for: key) != nil { return true }
        return switch piece.subject {
        case .email(let address): email == address
        case .phone(let number): phoneNumber == number || factors.contains { $0.phoneNumber == number }
        }
    }

    /// The account without this identity.
    func without(identity key: Identity.Key) -> Account {
        var account = self
        account.methods.removeAll { $0.isIdentity(key) }
        return account
    }

    /// When the oldest method or factor was added, or the address was verified before them; nil without any method or
    /// factor.
    var oldestDate: Timestamp? {
        let added = (isOnlyOfServer ? [] : methods.map(\.seniorSince)) + factors.map(\.enrolledAt)
        return added.isEmpty ? nil : (added + [emailVerifiedSince].compactMap(\.self)).min()
    }
}
