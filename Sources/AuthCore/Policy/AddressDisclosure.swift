extension AuthPolicy {
    /// Whether naming an address tells the caller whether another account has it.
    ///
    /// The caller is a person in a session of this account, or, without one, a person who signs up.
    /// If it does not, every answer, and what is written and mailed, is the same for both.
    func tellsOwnership(to account: Account?) -> Bool {
        if concealsSignUp || account?.isProvisional == true { return false }
        // An account without a method is a guest's.
        return account?.lacksMethods != true || disclosure != .uniform
    }
}
