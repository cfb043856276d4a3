extension Transaction {
    /// Notifies the address that a change of methods replaces or removes, if every change of the address can be
    /// reversed.
    ///
    /// A later step of the decision may set the new address.
    mutating func offerFormerAddress(of old: Account, in account: inout Account, replacedBy new: EmailAddress? = nil) {
        guard context.policy.emailRecovery == .everyChange, account.email != old.email else { return }
        offerRecovery(of: old, in: &account, replacedBy: new, context.mailCode(unusedNumber))
    }

    /// Notifies the address that was left, or the first one ever left, with a code to restore it.
    mutating func offerRecovery(
        of old: Account,
        in account: inout Account,
        replacedBy new: EmailAddress? = nil,
        _ code: IssuedCode,
        _ settings: Message.Settings? = nil
    ) {
        guard let left = old.email else { return }
        let isChain = context.policy.emailRecovery == .everyChange
        // Under the stricter rule, an address that was never verified cannot be restored.
        if isChain, !old.isEmailVerified(under: context.policy) { return }
        let lifetime = context.policy.lifetimes.emailRecovery
        let first = isChain ? left : account.firstEmail ?? left
        account.firstEmail = account.firstEmail ?? left
        // Under the stricter rule, the address from before a chain of changes stays reserved and can be restored from
        // any of them.
        if isChain, old.reservesEmail {
            account.reservations.removeAll { $0.email == left }
            account.reservations.append(Account.Reservation(email: left, until: context.now + lifetime))
        }
        let recovery = Store.EmailRecovery(
            restores: first,
            replaced: new ?? account.email,
            generation: old.nextGeneration,
            suspendsLaterMethods: isChain,
            recoveryCodes: isChain ? old.recoveryCodes : nil
        )
        issue(
            code,
            .recoverEmail(recovery),
            kind: .recoverEmail,
            to: .email(first),
            account: account.id,
            lifetime: lifetime,
            settings: settings
        )
    }
}
