/// Why the password rule refuses a password.
enum PasswordRefusal: Error, Sendable, Hashable {
    case tooShort
    case tooLong
    case denied
}

extension Result<PasswordHash, PasswordRefusal> {
    /// The hash; throws the refusal of the password rule if the password is not accepted.
    func accepted() throws(Refusal) -> PasswordHash {
        switch self {
        case .success(let hash): return hash
        case .failure(.tooShort): throw Refusal(.weakPassword, .passwordIsTooShort)
        case .failure(.tooLong): throw Refusal(.weakPassword, .passwordIsTooLong)
        case .failure(.denied): throw Refusal(.weakPassword, .passwordIsDenied)
        }
    }
}
