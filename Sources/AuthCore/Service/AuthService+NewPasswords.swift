extension AuthService {
    /// Hashes a new password if the rule accepts it; otherwise returns the rule's refusal for the decision.
    ///
    /// For an account with a second factor, the password is not the only factor. The account is read again where that
    /// matters: its factors may have changed since the client read it.
    func prepare(newPassword: Secret, for id: AccountID? = nil) async throws(AuthError) -> Result<PasswordHash, Refusal>
    {
        let password = configuration.normalized(newPassword)
        let rule = policy.passwordRule
        var isAlone = true
        if let id, rule.minimumLengthAlone != nil {
            isAlone = try await load([.account(id)])[id]?.activeFactors.isEmpty ?? true
        }
        if let refusal = rule.refusal(of: password, isAlone: isAlone) { return .failure(refusal) }
        if try await isBlocked(password) { return .failure(.passwordDenied) }
        do { return .success(try await configuration.passwordHasher.hash(password)) } catch {
            throw AuthError(hashingFailure: error)
        }
    }

    private func isBlocked(_ password: Secret) async throws(AuthError) -> Bool {
        guard let blocklist = configuration.passwordBlocklist else { return false }
        do { return try await blocklist.contains(password) } catch { throw AuthError(failure: error, .networkError) }
    }
}

extension AuthConfiguration {
    /// The password as it is set and compared; one that is too long stays as it is, since it is refused anyway.
    func normalized(_ password: Secret) -> Secret {
        guard let normalizePassword, password.utf8Count <= policy.passwordRule.greatestBytes else { return password }
        return Secret(normalizePassword(password.revealed))
    }
}
