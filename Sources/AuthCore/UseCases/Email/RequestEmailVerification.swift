/// Mails the person in the session a link that verifies the account's address.
struct RequestEmailVerification: SessionOperation {
    let handle: ActingHandle
    let code: IssuedCode
    let settings: Message.Settings?

    func moreLookups(_ request: Request) -> Lookups { [.records(of: .account(handle.account), .verifyEmail)] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) {
        guard let email = acting.account.email else { throw .addressMissing }
        transaction.reasons.append(.personAsksForCode)
        transaction.read(acting.account)
        transaction.mail(
            code,
            .verifyEmail(email, askedBy: acting.session.id),
            to: email,
            of: acting.account.id,
            besides: acting.seen.records(of: .account(handle.account), .verifyEmail),
            settings
        )
    }
}
