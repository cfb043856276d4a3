extension AuthService {
    /// Writes a consistent account of another system, without a password that cannot be checked; nothing that exists
    /// already is overwritten.
    package func bring(
        _ account: Account,
        lastSignIn: Timestamp?,
        trustedForJoin: Bool
    ) async throws(AuthError) -> ImportOutcome {
        var account = account
        if uncheckablePassword(of: account) != nil { account.methods.removeAll { $0.kind.methodKind == .password } }
        if usesNumberTwice(account) { account.remove(.phone) }
        let now = environment.now
        if account.isProvisional {
            // Its password is valid on one device only, which a one-time record names, and those do not move.
            account = account.withoutAddress(at: now)
            account.isProvisional = false
        }
        account.limitDates(to: now)
        if trustedForJoin {
            account.trustImport(at: now)
        } else {
            account.distrustImport(under: policy)
        }
        account.reserveEmail(under: policy)
        return try await perform(ImportAccount(account, lastSignIn: lastSignIn), RequestContext())
    }

    /// Returns the password of an account of another system if it cannot be checked here at a reasonable cost.
    package func uncheckablePassword(of account: Account) -> PasswordHash? {
        account.passwordHash.flatMap { configuration.passwordHasher.canCheck($0) ? nil : $0 }
    }

    /// Returns whether the number that signs in is also a second factor, where the policy asks for another one.
    package func usesNumberTwice(_ account: Account) -> Bool {
        policy.phoneWithFactors == .asksForFactor && account.phoneNumber != nil
            && account.factors.contains { $0.phoneNumber == account.phoneNumber }
    }

    /// Changes the key of a linked identity.
    package func remap(from old: Identity.Key, to new: Identity.Key) async throws(AuthError) {
        _ = try await perform(RemapSubject(from: old, to: new), RequestContext())
    }
}
