/// A password that the password rule refuses.
struct PasswordRefusal: Error, Sendable, Hashable {
    let finding: AuthPolicy.PasswordRule.Finding
}

extension Result<PasswordHash, PasswordRefusal> {
    /// The hash; throws the refusal of the password rule if the password is not accepted.
    func accepted() throws(Refusal) -> PasswordHash {
        switch self {
        case .success(let hash): return hash
        case .failure(let refusal): throw Refusal(.weakPassword, refusal.finding.reason)
        }
    }
}

extension AuthPolicy.PasswordRule.Finding {
    /// The reason for the finding.
    var reason: Reason {
        switch self {
        case .accepted: .factsContradict
        case .tooShort: .passwordIsTooShort
        case .tooLong: .passwordIsTooLong
        case .denied: .passwordIsDenied
        }
    }
}
