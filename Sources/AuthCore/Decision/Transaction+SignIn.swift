/// Signing in to an account, and keeping a session through a change of it.
extension Transaction {
    /// Opens a session on an account that does not change, which is what most sign-ins are.
    mutating func signIn(toUnchanged reference: AccountReference, authentication: Authentication) -> SignedIn {
        let account = reference.account
        let opened = open(on: account, isNew: false, authentication: authentication)
        event(.signedIn, account.id, by: .session(opened.session.id))
        read(account)
        return SignedIn(reference: reference, sessionReference: opened, lastSignIn: context.now)
    }

    /// Whether a sign-in with this authentication would leave the account unchanged.
    func leavesUnchanged(_ account: Account, authentication: Authentication) -> Bool {
        guard authentication.factor == nil, account.deletedUntil == nil, !isNewDevice(to: account) else { return false }
        guard let verified = authentication.verified, let generation = authentication.basis.generation else {
            return true
        }
        let evidence = account.evidence
        return account.methods.contains { $0.generation == generation && evidence.support($0.coverage, of: verified) }
    }

    /// Writes an account and opens a session for a person who was just authenticated.
    ///
    /// A new account has no earlier value.
    mutating func signIn(
        to account: inout Account,
        from old: Account?,
        authentication: Authentication,
        by actor: IdentityEvent.Actor = .unauthenticated
    ) -> SignedIn {
        // A guest has nothing that strangers could guess; the device becomes known with the first method.
        if !account.isAnonymous { learnDevice(of: &account) }
        // The account belongs to a person from now on, and a session from before may be another's.
        if let old, !old.canBeSignedInTo, account.canBeSignedInTo {
            raiseSessionGeneration(of: &account, for: [.firstMethod], except: nil)
        }
        let opened = open(on: account, isNew: old == nil, authentication: authentication)
        account.cover(in: opened.session, at: context.now)
        if context.policy.unverifiedLifetime != nil, account.mayExpireUnverified {
            // The account is looked at before the session is removed.
            account.dueAt = min(account.dueAt ?? context.now, opened.session.expiresAt ?? .distantFuture)
        }
        authentication.factor?.spend(in: &account, &self)
        cancelDeletion(of: &account, by: .session(opened.session.id), because: .signInKeepsAccount)
        if let old { update(old, to: &account, by: actor) } else { create(account, by: actor) }
        // An unverified account is removed when it is not used, which rests on its sign-ins.
        if let old, context.policy.unverifiedLifetime != nil, old.mayExpireUnverified,
            !changes.accounts.contains(where: { $0.id == old.id })
        {
            raiseVersion(of: &account)
        }
        event(.signedIn, account.id, by: .session(opened.session.id))
        return SignedIn(
            reference: AccountReference(account),
            sessionReference: opened,
            isNewUser: old == nil,
            lastSignIn: context.now,
            device: newDevice
        )
    }

    private mutating func open(on account: Account, isNew: Bool, authentication: Authentication) -> SessionReference {
        let now = context.now
        // One initializer: a session that is changed after it was made is copied once more.
        let session = Session(
            id: SessionID(words: context.fresh.session),
            account: account.id,
            basis: authentication.basis,
            verified: authentication.verified.map { [Evidence.Verification($0, at: now)] } ?? [],
            factor: authentication.factor?.use(on: account.id),
            createdAt: now,
            authenticatedAt: min(authentication.authenticatedAt ?? now, context.verifiedAt),
            activeAt: now,
            expiresAt: context.policy.sessions.end(on: account, activeAt: now, loginAt: now),
            sessionGeneration: account.sessionGeneration,
            device: device,
            origin: context.request.context.origin.address,
            deviceName: context.request.context.deviceName,
            claims: authentication.claims
        )
        changes.signIns.append(Store.SignInRecord(account: account.id, at: now))
        // Room for both changes.
        changes.sessions.reserveCapacity(2)
        changes.sessions.append(.put(session))
        if !isNew, let most = context.policy.sessions.perAccount {
            changes.sessions.append(.endUnused(account.id, keeping: max(0, most), besides: session.id))
        }
        return SessionReference(session)
    }

    /// Writes an account and keeps the acting session through the change, resting on what was just presented.
    mutating func keep(
        _ acting: ActingSession,
        with account: inout Account,
        authentication: Authentication? = nil
    ) -> SignedIn {
        let isFirst = acting.account.lacksMethods && !acting.isReplacing
        if isFirst, !account.lacksMethods { learnDevice(of: &account) }
        authorizedSince = acting.seniorSince
        var session = acting.session
        if let authentication {
            session.rest(on: authentication, at: context.verifiedAt, context.now)
            changes.signIns.append(Store.SignInRecord(account: account.id, at: context.now))
            account.cover(in: session, at: context.now)
            authentication.factor?.spend(in: &account, &self)
        }
        rebase(&session, on: account)
        let isPresented = authentication.map { $0.countsAsReauthentication || $0.factor != nil } ?? false
        advance(&session, on: account, isPrivileged: isPresented)
        update(acting.account, to: &account, by: .session(session.id))
        let lastSignIn = authentication == nil ? acting.lastSignIn : context.now
        var signedIn = SignedIn(AccountReference(account), session, lastSignIn: lastSignIn, device: newDevice)
        // If the change removed the only method that the session rests on, the session has ended.
        signedIn.endsSession = !session.isAlive(for: account, context)
        if signedIn.endsSession {
            changes.sessions.append(.end(session.id))
        } else {
            put(session, over: acting.session)
        }
        return signedIn
    }

    /// Writes an account and lets the acting session rest on a method that it just set, which is not a login.
    mutating func rest(_ acting: ActingSession, on basis: Session.Basis, with account: inout Account) -> SignedIn {
        var session = acting.session
        if !session.used.contains(session.basis), session.basis.generation != nil { session.used.append(session.basis) }
        session.basis = basis
        rebase(&session, on: account)
        advance(&session, on: account)
        return write(&account, session, of: acting)
    }

    /// Writes what a change that is no login leaves of the account and of the acting session.
    mutating func write(_ account: inout Account, _ session: Session, of acting: ActingSession) -> SignedIn {
        update(acting.account, to: &account, by: .session(session.id))
        put(session, over: acting.session)
        return SignedIn(AccountReference(account), session, lastSignIn: acting.lastSignIn)
    }
}

extension Session {
    /// Lets the session rest on what was just presented; what it rested on before counts as used.
    fileprivate mutating func rest(on authentication: Authentication, at verifiedAt: Timestamp, _ now: Timestamp) {
        if !authentication.countsAsReauthentication {
            if authentication.basis != basis, !used.contains(authentication.basis) { used.append(authentication.basis) }
        } else if authentication.basis != basis {
            if !used.contains(basis), basis.generation != nil { used.append(basis) }
            used.removeAll { $0 == authentication.basis }
            basis = authentication.basis
        }
        if let use = authentication.factor?.use(on: account) { factor = use }
        note(proof: authentication.verified, at: now)
        guard authentication.countsAsReauthentication else { return }
        // A login of the future was written by a clock that was ahead.
        let earlier = authenticatedAt - now > Store.AttemptRecord.longestSkew ? .distantPast : authenticatedAt
        authenticatedAt = max(earlier, min(authentication.authenticatedAt ?? verifiedAt, verifiedAt))
    }
}
