/// Mails a new address a link that verifies it and makes it the account's address.
struct RequestEmailChange: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeEmail }

    let handle: ActingHandle
    let email: EmailAddress
    let code: IssuedCode
    let settings: Message.Settings?

    func moreLookups(_ request: Request) -> Lookups {
        [.records(of: .account(handle.account), .changeEmail), request.owner(of: email)]
    }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        guard let current = acting.account.email else { throw .addressMissing }
        let holder = OwnerRelation(ofWanted: email, for: acting.account, in: acting.seen, under: context.policy)
        let isYielded =
            acting.seen.owner(ofAddress: email, under: context.policy)?.yieldsEmail(of: email, under: context.policy)
            ?? false
        // If the caller must not learn of other accounts' addresses, only the reader of the mail does.
        let isConcealed = !context.policy.tellsOwnership(to: acting.account)
        if holder == .thePerson { throw .addressTheSame }
        if holder == .another && !isYielded && !isConcealed { throw .addressOwned }
        try acting.requireSeniority(over: acting.addressAges(context), context)
        transaction.reasons.append(.personAsksForCode)
        // A decision that ends this session at the same moment must see the code.
        var account = acting.account
        transaction.raiseVersion(of: &account)
        transaction.mail(
            code,
            .changeEmail(from: current, to: email, askedBy: acting.session.id),
            to: email,
            of: acting.account.id,
            besides: acting.seen.records(of: .account(handle.account), .changeEmail),
            settings
        )
    }
}
