/// Mails the owner of a mailbox a link that signs in.
struct RequestSignInLink: Operation {
    let email: EmailAddress
    let code: IssuedCode
    let settings: Message.Settings?

    func lookups(_ request: Request) -> Lookups { Lookups() }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        try transaction.context.requireEnabled(.emailLink)
        transaction.reasons.append(.mailboxWillProve)
        transaction.mail(code, .signInLink(email), to: email, of: nil, settings)
    }
}
