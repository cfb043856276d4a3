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
        account.methods.removeAll { $0.identity?.key == key }
        return account
    }

    /// When the oldest method or factor was added, or the address was verified; nil if there is nothing.
    var oldestMethodDate: Timestamp? {
        let proofs = evidence.filter { $0.isFresh && $0.source.isProof && $0.subject == email.map { .email($0) } }
        return (methods.map(\.seniorSince) + factors.map(\.enrolledAt) + proofs.map(\.firstAt)).min()
    }
}
