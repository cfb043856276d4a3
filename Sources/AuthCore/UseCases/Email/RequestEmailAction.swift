/// Mails the person in the session a link that verifies the account's address.
struct RequestEmailVerification: SessionOperation {
    let handle: ActingHandle
    let code: IssuedCode
    let settings: Message.Settings?

    func moreLookups(_ request: Request) -> Lookups { [.records(of: .account(handle.account), .verifyEmail)] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> Account {
        guard let email = acting.account.email else { throw .addressMissing }
        transaction.liveCodes = acting.seen.records(of: .account(handle.account), .verifyEmail)
        transaction.reasons.append(.personAsksForCode)
        transaction.read(acting.account)
        transaction.mail(
            code,
            .verifyEmail(email, askedBy: acting.session.id),
            to: email,
            of: acting.account.id,
            settings
        )
        return acting.account
    }
}

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

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> Account {
        let context = transaction.context
        guard let current = acting.account.email else { throw .addressMissing }
        let holder = OwnerRelation(ofWanted: email, for: acting.account, in: acting.seen, under: context.policy)
        let isYielded =
            acting.seen.owner(ofAddress: email, under: context.policy)?.yieldsEmail(of: email, under: context.policy)
            ?? false
        // If the caller must not learn of other accounts' addresses, only the reader of the mail does.
        let isConcealed = !context.policy.tellsOwnership(to: AddressCaller(in: acting.account))
        if holder == .thePerson || holder == .another && !isYielded && !isConcealed {
            throw .addressOwned
        }
        try acting.requireSeniority(over: acting.addressAges, context)
        transaction.liveCodes = acting.seen.records(of: .account(handle.account), .changeEmail)
        transaction.reasons.append(.personAsksForCode)
        transaction.read(acting.account)
        transaction.mail(
            code,
            .changeEmail(from: current, to: email, askedBy: acting.session.id),
            to: email,
            of: acting.account.id,
            settings
        )
        return acting.account
    }
}

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
        transaction.liveCodes = seen.records(of: .owner(context.policy.key(for: email)), .resetPassword)
        guard let owner = seen.owner(ofAddress: email, under: context.policy), let own = owner.email,
            context.policy.isSameMailbox(own, email)
        else {
            if context.policy.disclosure == .detailed { throw .addressUnknown }
            transaction.reasons.append(.disclosureIsWithheld)
            transaction.issueDecoy(of: code, .resetPassword(email))
            return
        }
        transaction.reasons.append(.mailboxWillProve)
        transaction.mail(code, .resetPassword(own), to: own, of: owner.id, settings)
    }
}

/// Mails the owner of a mailbox a link that signs in.
struct RequestSignInLink: Operation {
    let email: EmailAddress
    let code: IssuedCode
    let settings: Message.Settings?

    func lookups(_ request: Request) -> Lookups { Lookups() }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        try context.requireEnabled(.emailLink)
        transaction.reasons.append(.mailboxWillProve)
        transaction.mail(code, .signInLink(email), to: email, of: nil, settings)
    }
}

extension Transaction {
    /// Issues a mailed code that the caller asked for.
    fileprivate mutating func mail(
        _ code: IssuedCode,
        _ content: OneTimeRecord.Content,
        to email: EmailAddress,
        of account: AccountID?,
        _ settings: Message.Settings?
    ) {
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
