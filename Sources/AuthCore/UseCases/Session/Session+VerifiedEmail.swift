extension Session {
    /// Whether a token of the session says that the account's address is verified.
    ///
    /// Where only covered methods are joined, a session that has nothing to do with the verification does not share in
    /// it: an attacker who signed up with the address would else get a token that says that the address is theirs.
    func isEmailVerified(of account: Account, under policy: AuthPolicy) -> Bool {
        guard account.isEmailVerified(under: policy), let email = account.email else { return false }
        if policy.joining == .whenVerified { return true }
        func verifiesAddress(_ verification: Evidence.Verification) -> Bool {
            guard case .email(let address) = verification.subject else { return false }
            return policy.keyRule.isSameMailbox(address, email) && account.evidence.support(verification)
        }
        return verified.contains(where: verifiesAddress) || verifiedOnRequest.map(verifiesAddress) ?? false
            || account.methods.contains { hasUsed($0.generation) && account.covers($0, by: email, under: policy) }
    }
}
