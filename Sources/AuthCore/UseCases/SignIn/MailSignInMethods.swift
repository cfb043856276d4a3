/// Mails the owner of an address how to sign in to its account; the caller learns nothing.
struct MailSignInMethods: Operation {
    let email: EmailAddress
    let code: IssuedCode
    let settings: Message.Settings?

    func lookups(_ request: Request) -> Lookups { FetchSignInMethods(email: email).lookups(request) }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        let account =
            seen.owner(ofAddress: email, under: context.policy)
            ?? seen.oldestAccount(referencing: email, context) {
                // A provisional password is of use to its own device only.
                context.keyRule.isSameMailbox($0.email, email) && !$0.isProvisional
            }
        transaction.reasons.append(.disclosureIsWithheld)
        transaction.enqueue(code, .signInMethods, to: .email(email), about: account?.id, settings: settings)
    }
}
