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

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        guard let email = acting.account.email else {
            return refuse(Refusal(.missingEmail, .accountHasNoAddress), by: ruling)
        }
        var draft = Draft(ruling, liveCodes: snapshot.records(of: .account(handle.account), .verifyEmail))
        draft.reasons.append(.personAsksForCode)
        draft.read(acting.account)
        draft.issue(
            code,
            .verifyEmail(email, askedBy: acting.session.id),
            kind: .verifyEmail,
            to: .email(email),
            account: acting.account.id,
            lifetime: ruling.policy.lifetimes.mailCode,
            settings: settings
        )
        return draft.granted(acting.account)
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

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        guard let current = acting.account.email else {
            return refuse(Refusal(.missingEmail, .accountHasNoAddress), by: ruling)
        }
        let holder = NewAddressHolder(of: email, for: acting.account, in: snapshot, under: ruling.policy)
        let isGivenUp =
            snapshot.owner(ofAddress: email, under: ruling.policy)?.givesWay(of: email, under: ruling.policy) ?? false
        // Whoever waits to be proved learns of no other address; who opens the mail does.
        let isHidden = holder == .another && acting.account.isProvisional
        if holder != .nobody && !(isGivenUp && holder == .another) && !isHidden {
            return refuse(Refusal(.emailAlreadyInUse, .addressIsOwned), by: ruling)
        }
        if let refusal = acting.seniorityRefusal(for: acting.addressAges, by: ruling) {
            return refuse(refusal, by: ruling)
        }
        var draft = Draft(ruling, liveCodes: snapshot.records(of: .account(handle.account), .changeEmail))
        draft.reasons.append(.personAsksForCode)
        draft.read(acting.account)
        draft.issue(
            code,
            .changeEmail(from: current, to: email, askedBy: acting.session.id),
            kind: .changeEmail,
            to: .email(email),
            account: acting.account.id,
            lifetime: ruling.policy.lifetimes.mailCode,
            settings: settings
        )
        return draft.granted(acting.account)
    }
}

/// Mails a link that sets a new password, to the owner of an address.
struct RequestPasswordReset: Operation {
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

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Void> {
        if let refusal = ruling.policy.refusal(of: .password) { return refuse(refusal, by: ruling) }
        let liveCodes = snapshot.records(ofOwnerOf: email, .resetPassword, under: ruling.policy)
        var draft = Draft(ruling, liveCodes: liveCodes)
        guard let owner = snapshot.owner(ofAddress: email, under: ruling.policy), let own = owner.email,
            ruling.policy.isSameMailbox(own, email)
        else {
            if ruling.policy.disclosure == .detailed {
                return refuse(Refusal(.userNotFound, .addressIsUnknown), by: ruling)
            }
            // The same write as for a known address, of a code that nobody gets and that opens nothing.
            draft.reasons.append(.strangersLearnNothing)
            draft.changes.capabilities.append(
                .put(
                    Capability(
                        key: code.key,
                        account: nil,
                        createdAt: ruling.now,
                        expiresAt: ruling.now + ruling.policy.lifetimes.mailCode,
                        content: .resetPassword(email)
                    )
                )
            )
            return draft.granted(())
        }
        draft.reasons.append(.mailboxWillProve)
        draft.issue(
            code,
            .resetPassword(own),
            kind: .resetPassword,
            to: .email(own),
            account: owner.id,
            lifetime: ruling.policy.lifetimes.mailCode,
            settings: settings
        )
        return draft.granted(())
    }
}

/// Mails a link that signs in whoever owns the mailbox.
struct RequestSignInLink: Operation {
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

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Void> {
        if let refusal = ruling.policy.refusal(of: .emailLink) { return refuse(refusal, by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.mailboxWillProve)
        draft.issue(
            code,
            .signInLink(email),
            kind: .signInLink,
            to: .email(email),
            account: nil,
            lifetime: ruling.policy.lifetimes.signInLink,
            settings: settings
        )
        return draft.granted(())
    }
}
