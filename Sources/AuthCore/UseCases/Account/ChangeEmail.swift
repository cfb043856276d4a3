/// Changes the email address of the acting session's account at once, without verifying the new one.
struct ChangeEmail: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeEmail }

    let handle: ActingHandle
    let email: EmailAddress
    /// The code with which the old address can reverse the change.
    let recovery: IssuedCode
    var settings: Message.Settings?

    func moreLookups(_ request: Request) -> Lookups { [request.owner(of: email)] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let holder = OwnerRelation(ofWanted: email, for: acting.account, in: acting.seen, under: context.policy)
        var account = acting.account
        if holder == .thePerson {
            transaction.reasons.append(.addressIsTheSame)
            return transaction.keep(acting, with: &account)
        }
        if !context.policy.tellsOwnership(to: account) { throw .ownershipConcealed }
        if holder == .another { throw .addressOwned }
        if account.keepsEmail(under: context.policy) { throw .addressStays }
        try acting.requireSeniority(over: acting.addressAges(context), context)
        transaction.reasons.append(.personChangesAddress)
        account.moveToUnverified(email, at: context.now)
        try acting.requireAddress(in: account, context)
        if acting.session.basis.kind != .anonymous {
            transaction.offerRecovery(of: acting.account, in: &account, recovery, settings)
        }
        transaction.raiseSessionGeneration(of: &account, for: [.emailChange], except: acting.session.id)
        return transaction.keep(acting, with: &account)
    }
}
