extension Transaction {
    /// Issues a mailed code that the caller asked for; of the account's earlier ones of its kind, the oldest are
    /// revoked, so that it has no more than the policy allows, but for requests of one moment.
    mutating func mail(
        _ code: IssuedCode,
        _ content: OneTimeRecord.Content,
        to email: EmailAddress,
        of account: AccountID?,
        besides earlier: [OneTimeRecord] = [],
        _ settings: Message.Settings?
    ) {
        let live = earlier.filter { $0.isLive(at: context.now) }
            .sorted { ($0.createdAt, $0.key) < ($1.createdAt, $1.key) }
        for old in live.dropLast(max(1, context.policy.liveMailCodes) - 1) { revoke(old.key) }
        let lifetimes = context.policy.lifetimes
        issue(
            code,
            content,
            kind: content.messageKind,
            to: .email(email),
            account: account,
            lifetime: content.purpose == .signInLink ? lifetimes.signInLink : lifetimes.mailCode,
            settings: settings
        )
    }
}
