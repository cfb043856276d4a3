extension Transaction {
    /// Tells an address that went with the method that hung on it, where every change of the address can be taken back.
    mutating func offerDroppedAddress(of old: Account, in account: inout Account) {
        guard context.policy.emailRecovery == .everyChange, old.email != nil, account.email == nil else { return }
        offerRecovery(of: old, in: &account, context.mailCode(unusedNumber))
    }

    /// Tells the address that is left, or the first one ever left, with a code to come back.
    mutating func offerRecovery(of old: Account, in account: inout Account, _ code: IssuedCode) {
        guard let left = old.email else { return }
        let isChain = context.policy.emailRecovery == .everyChange
        // Under the stricter rule, who never proved an address has nothing to come back to.
        if isChain, !old.isEmailVerified(under: context.policy) { return }
        let first = isChain ? left : account.firstEmail ?? left
        account.firstEmail = account.firstEmail ?? left
        // Under the stricter rule the address from before a chain of changes stays reserved, and can come back from any.
        if isChain, old.reservesEmail {
            account.reservations.removeAll { $0.email == left }
            account.reservations.append(
                Reservation(email: left, until: context.now + context.policy.lifetimes.emailRecovery)
            )
        }
        let recovery = EmailRecovery(
            restores: first,
            replaced: account.email,
            generation: old.nextGeneration,
            suspendsLaterMethods: isChain
        )
        issue(
            code,
            .recoverEmail(recovery),
            kind: .recoverEmail,
            to: .email(first),
            account: account.id,
            lifetime: context.policy.lifetimes.emailRecovery,
            settings: nil
        )
    }
}
