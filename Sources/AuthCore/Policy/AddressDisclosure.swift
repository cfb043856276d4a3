/// Who names an address that another account may have.
enum AddressCaller: Sendable, Hashable, CaseIterable {
    /// A person who creates an account with the address, or gives an anonymous account its first one.
    case signUp
    /// A guest.
    case guest
    /// A person whose own account is concealed until its address is verified.
    case provisional
    /// A person with a sign-in method.
    case person

    /// The caller in a session of this account.
    init(in account: Account) {
        self = account.isProvisional ? .provisional : account.methods.isEmpty ? .guest : .person
    }
}

extension AuthPolicy {
    /// Whether naming an address tells the caller whether another account has it.
    ///
    /// If it does not, every answer, and what is written and mailed, is the same for both.
    func tellsOwnership(to caller: AddressCaller) -> Bool {
        if concealsSignUp || caller == .provisional { return false }
        return caller != .guest || disclosure != .uniform
    }
}
