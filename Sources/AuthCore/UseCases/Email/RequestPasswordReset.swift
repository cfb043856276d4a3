/// Mails the owner of an address a link that sets a new password.
struct RequestPasswordReset: Operation {
    let email: EmailAddress
    let code: IssuedCode
    let settings: Message.Settings?

    func lookups(_ request: Request) -> Lookups {
        [request.owner(of: email), .records(of: .owner(request.policy.key(for: email)), .resetPassword)]
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        try context.requireEnabled(.password)
        guard let owner = seen.account(having: email, under: context.policy), let own = owner.email else {
            if context.policy.disclosure == .detailed { throw .addressUnknown }
            transaction.reasons.append(.disclosureIsWithheld)
            transaction.issueDecoy(of: code, .resetPassword(email))
            return
        }
        transaction.reasons.append(.mailboxWillProve)
        let earlier = seen.records(of: .owner(context.policy.key(for: email)), .resetPassword)
        transaction.mail(code, .resetPassword(own), to: own, of: owner.id, besides: earlier, settings)
    }
}
