/// Links an address with a password to the account of the acting session.
struct LinkPassword {
    let email: EmailAddress
    /// The hash of the password, or the password rule's refusal.
    let password: Result<PasswordHash, Refusal>
    var factor: FactorProof?

    /// Links it to an account and a session that the transaction may have created or changed.
    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        // Whose the address is, is told once the factor was presented.
        if acting.account.factorStatus(in: acting.session, presented: factor) == .required {
            let stored = Store.StoredProof.newPassword(email, try password.get())
            throw transaction.challenge(acting.account, for: .change(acting.session.id), over: nil, storing: stored)
        }
        // An anonymous account that links an address signs up, and learns as little as any other sign-up.
        let isSignUp = acting.account.lacksMethods
        let isTold = context.policy.tellsOwnership(to: isSignUp ? nil : acting.account)
        let isOwn = acting.account.reservesEmail && context.keyRule.isSameMailbox(acting.account.email, email)
        let isConcealed = !isTold && !isOwn
        // An account whose only method is replaced must not be left with a password that is good on one device.
        let isReplacement = acting.isReplacing && !acting.account.isProvisional
        if isConcealed, !isSignUp || isReplacement { throw .ownershipConcealed }
        let isProvisional = isConcealed && context.device != nil
        let owner = acting.seen.otherOwner(ofAddress: email, than: acting.account.id, under: context.policy)
        if !isProvisional, owner != nil { throw .addressOwned }
        let hash = try password.get()
        if acting.account.email != email, acting.account.keepsEmail(under: context.policy) { throw .addressStays }
        transaction.reasons.append(.personAddsMethod)
        var account = acting.account
        if account.email != email {
            try acting.requireSeniority(over: acting.addressAges(context), context)
            account.moveToUnverified(email, at: context.now)
            try acting.requireAddress(in: account, context)
            transaction.offerFormerAddress(of: acting.account, in: &account)
        }
        // A password that is there has no address, and may be the owner's: it is replaced as an older method is.
        try acting.requireSeniority(over: [account.passwordMethod?.seniorSince].compactMap(\.self), context)
        account.reservesEmail = !isProvisional
        if isProvisional { transaction.makeProvisional(&account, under: email, in: acting.seen) }
        let method = account.setPassword(hash, at: context.now, seniorSince: acting.seniorSince)
        let causes: [AuthPolicy.SessionRevocationTrigger] = isSignUp ? [.firstMethod, .passwordLink] : [.passwordLink]
        transaction.raiseSessionGeneration(of: &account, for: causes, except: acting.session.id)
        if context.policy.endsAddressChanges { transaction.revokeAll(of: account.id, [.resetPassword]) }
        let authentication = acting.adding(method, context, factor: factor)
        return transaction.keep(acting, with: &account, authentication: authentication)
    }
}
