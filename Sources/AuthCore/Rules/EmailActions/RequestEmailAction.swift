/// Mails the person in the session a link that proves the account's address.
struct RequestEmailVerification: ActingOperation {
    typealias Outcome = Account

    let handle: ActingHandle
    let code: IssuedCode
    let settings: MessageSettings?

    init(handle: ActingHandle, code: IssuedCode, settings: MessageSettings?) {
        self.handle = handle
        self.code = code
        self.settings = settings
    }

    func moreLookups(_ request: Request) -> Lookups { [.records(of: .account(handle.account), .verifyEmail)] }

    func decide(for acting: ActingSession, on snapshot: Snapshot, _ context: DecisionContext) -> Decision<Account> {
        guard let email = acting.account.email else {
            return refuse(Refusal(.missingEmail, .accountHasNoAddress), context)
        }
        var transaction = Transaction(context)
        transaction.liveCodes = snapshot.records(of: .account(handle.account), .verifyEmail)
        transaction.reasons.append(.personAsksForCode)
        transaction.read(acting.account)
        transaction.issue(
            code,
            .verifyEmail(email, askedBy: acting.session.id),
            kind: .verifyEmail,
            to: .email(email),
            account: acting.account.id,
            lifetime: context.policy.lifetimes.mailCode,
            settings: settings
        )
        return transaction.granted(acting.account)
    }
}

/// Mails a new address a link that proves it and moves the account to it.
struct RequestEmailChange: ActingOperation {
    typealias Outcome = Account

    var sensitivity: SensitiveOperation? { .changeEmail }

    let handle: ActingHandle
    let email: EmailAddress
    let code: IssuedCode
    let settings: MessageSettings?

    init(handle: ActingHandle, email: EmailAddress, code: IssuedCode, settings: MessageSettings?) {
        self.handle = handle
        self.email = email
        self.code = code
        self.settings = settings
    }

    func moreLookups(_ request: Request) -> Lookups {
        var lookups: Lookups = [.records(of: .account(handle.account), .changeEmail)]
        lookups.insert(ownerOf: email)
        return lookups
    }

    func decide(for acting: ActingSession, on snapshot: Snapshot, _ context: DecisionContext) -> Decision<Account> {
        guard let current = acting.account.email else {
            return refuse(Refusal(.missingEmail, .accountHasNoAddress), context)
        }
        let holder = NewAddressHolder(of: email, for: acting.account, in: snapshot, under: context.policy)
        let isGivenUp =
            snapshot.owner(ofAddress: email, under: context.policy)?.givesWay(of: email, under: context.policy) ?? false
        // Whoever waits to be proved learns of no other address; who opens the mail does.
        let isHidden = holder == .another && acting.account.isProvisional
        if holder != .nobody && !(isGivenUp && holder == .another) && !isHidden {
            return refuse(Refusal(.emailAlreadyInUse, .addressIsOwned), context)
        }
        if let refusal = acting.seniorityRefusal(for: acting.addressAges, context) {
            return refuse(refusal, context)
        }
        var transaction = Transaction(context)
        transaction.liveCodes = snapshot.records(of: .account(handle.account), .changeEmail)
        transaction.reasons.append(.personAsksForCode)
        transaction.read(acting.account)
        transaction.issue(
            code,
            .changeEmail(from: current, to: email, askedBy: acting.session.id),
            kind: .changeEmail,
            to: .email(email),
            account: acting.account.id,
            lifetime: context.policy.lifetimes.mailCode,
            settings: settings
        )
        return transaction.granted(acting.account)
    }
}

/// Mails a link that sets a new password, to the owner of an address.
struct RequestPasswordReset: DecidingOperation {
    typealias Outcome = Void

    let email: EmailAddress
    let code: IssuedCode
    let settings: MessageSettings?

    init(email: EmailAddress, code: IssuedCode, settings: MessageSettings?) {
        self.email = email
        self.code = code
        self.settings = settings
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        lookups.insert(ownerOf: email)
        lookups.insert(recordsOfOwnerOf: email, .resetPassword)
        return lookups
    }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<Void> {
        if let refusal = context.policy.refusal(of: .password) { return refuse(refusal, context) }
        var transaction = Transaction(context)
        transaction.liveCodes = snapshot.records(ofOwnerOf: email, .resetPassword, under: context.policy)
        guard let owner = snapshot.owner(ofAddress: email, under: context.policy), let own = owner.email,
            context.policy.isSameMailbox(own, email)
        else {
            if context.policy.disclosure == .detailed {
                return refuse(Refusal(.userNotFound, .addressIsUnknown), context)
            }
            // The same write as for a known address, of a code that nobody gets and that opens nothing.
            transaction.reasons.append(.strangersLearnNothing)
            transaction.changes.capabilities.append(
                .put(
                    Capability(
                        key: code.key,
                        account: nil,
                        createdAt: context.now,
                        expiresAt: context.now + context.policy.lifetimes.mailCode,
                        content: .resetPassword(email)
                    )
                )
            )
            return transaction.granted(())
        }
        transaction.reasons.append(.mailboxWillProve)
        transaction.issue(
            code,
            .resetPassword(own),
            kind: .resetPassword,
            to: .email(own),
            account: owner.id,
            lifetime: context.policy.lifetimes.mailCode,
            settings: settings
        )
        return transaction.granted(())
    }
}

/// Mails a link that signs in whoever owns the mailbox.
struct RequestSignInLink: DecidingOperation {
    typealias Outcome = Void

    let email: EmailAddress
    let code: IssuedCode
    let settings: MessageSettings?

    init(email: EmailAddress, code: IssuedCode, settings: MessageSettings?) {
        self.email = email
        self.code = code
        self.settings = settings
    }

    func lookups(_ request: Request) -> Lookups { Lookups() }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<Void> {
        if let refusal = context.policy.refusal(of: .emailLink) { return refuse(refusal, context) }
        var transaction = Transaction(context)
        transaction.reasons.append(.mailboxWillProve)
        transaction.issue(
            code,
            .signInLink(email),
            kind: .signInLink,
            to: .email(email),
            account: nil,
            lifetime: context.policy.lifetimes.signInLink,
            settings: settings
        )
        return transaction.granted(())
    }
}
