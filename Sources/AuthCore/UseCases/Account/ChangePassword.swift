/// Sets the password of the account of the acting session.
struct ChangePassword: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changePassword }

    let handle: ActingHandle
    /// The hash of the password, or the password rule's refusal.
    let password: Result<PasswordHash, Refusal>

    /// A password depends on the address, so an address that is only displayed has to become the account's own.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        seen[handle.account]?.addressToOwn.map { [request.owner(of: $0)] }
    }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let hash = try password.get()
        try context.requireEnabled(.password)
        // Otherwise it would wait for an address that a later owner of the session links.
        // Where no session ends with a guest's first method, that owner is no safer without it, and Firebase stores it.
        let protectsGuests = context.policy.revokesSessionsOn.contains(.firstMethod)
        if acting.account.email == nil, protectsGuests { throw .addressMissing }
        if let old = acting.account.passwordMethod { try acting.requireSeniority(over: [old.seniorSince], context) }
        let address = acting.account.addressToOwn
        if address != nil, !context.policy.tellsOwnership(to: acting.account) { throw .ownershipConcealed }
        if acting.seen.otherOwner(ofAddress: address, than: acting.account.id, under: context.policy) != nil {
            throw .addressOwned
        }
        transaction.reasons.append(.personChangesPassword)
        var account = acting.account
        if address != nil { account.reservesEmail = true }
        let method = account.setPassword(hash, at: context.now, seniorSince: acting.seniorSince)
        let verified = acting.session.verified.filter { account.evidence.support($0, at: context.now) }
        account.cover([method.generation], by: verified.map(\.subject), at: context.now)
        transaction.raiseSessionGeneration(of: &account, for: [.passwordChange], except: acting.session.id)
        if context.policy.endsAddressChanges { transaction.revokeAll(of: account.id, [.resetPassword]) }
        return transaction.rest(acting, on: Session.Basis(method), with: &account)
    }
}

extension Account {
    /// The address that becomes the account's own with a password; nil if it already is, or is not verified yet.
    fileprivate var addressToOwn: EmailAddress? { reservesEmail || isProvisional ? nil : email }
}
