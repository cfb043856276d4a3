/// What the password rule has against a password.
struct PasswordRefusal: Error, Sendable, Hashable {
    let finding: PasswordRule.Finding

    init(finding: PasswordRule.Finding) { self.finding = finding }
}

extension Result<PasswordHash, PasswordRefusal> {
    /// The hash, if the password rule has nothing against the password.
    var hash: PasswordHash? { try? get() }

    /// The hash; throws what the password rule has against the password.
    func accepted() throws(Refusal) -> PasswordHash {
        switch self {
        case .success(let hash): return hash
        case .failure(let refusal): throw Refusal(.weakPassword, refusal.finding.reason)
        }
    }

    /// What the password rule says, with the hash left out.
    var finding: PasswordRule.Finding {
        switch self {
        case .success: .accepted
        case .failure(let refusal): refusal.finding
        }
    }
}

extension PasswordRule.Finding {
    /// Why the password is refused; one that is accepted is refused by nothing.
    var reason: Reason {
        switch self {
        case .accepted: .factsContradict
        case .tooShort: .passwordIsTooShort
        case .tooLong: .passwordIsTooLong
        case .denied: .passwordIsDenied
        }
    }
}
