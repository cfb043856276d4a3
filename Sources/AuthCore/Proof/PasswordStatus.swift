/// What is known of a password that was presented for an account.
enum PasswordStatus: Sendable, Hashable {
    case matches
    case differs
    /// The account has no password that can be used.
    case missing
    /// The password was right and has been replaced since it was compared.
    case replaced

    var reason: Reason {
        switch self {
        case .matches: .passwordMatches
        case .differs: .passwordDiffers
        case .missing: .accountHasNoPassword
        case .replaced: .passwordWasReplaced
        }
    }

    /// The refusal of a password that does not match; only a policy that tells strangers everything gives the reason.
    func refusal(disclosing disclosure: AuthPolicy.Disclosure) -> Refusal {
        disclosure == .detailed ? Refusal(.wrongPassword, reason) : .credentialWrong
    }
}

extension PasswordProof {
    /// What is known of the password for this account.
    func status(of owner: Account?) -> PasswordStatus {
        guard let owner else { return .differs }
        guard let method = owner.passwordMethod, method.isActive else { return .missing }
        guard case .matches(let account, let generation, _) = finding else { return .differs }
        return account == owner.id && generation == method.generation ? .matches : .replaced
    }

    /// The password method of an account, if this is its password.
    func method(of account: Account) -> SignInMethod? { status(of: account) == .matches ? account.passwordMethod : nil }
}
