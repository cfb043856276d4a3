/// What a granted sign-in or change leaves behind; by reference, since it is handed on through several calls.
package final class SignedIn: Sendable {
    /// The account after the change.
    let account: Account
    /// The session after the change.
    package let session: Session
    /// Whether the account was made by this.
    let isNewUser: Bool
    /// When somebody last signed in to the account.
    let lastSignIn: Timestamp?

    init(account: Account, session: Session, isNewUser: Bool, lastSignIn: Timestamp?) {
        self.account = account
        self.session = session
        self.isNewUser = isNewUser
        self.lastSignIn = lastSignIn
    }
}

/// What a session rests on after a sign-in or a change, and what was shown on the way.
struct Authentication: Sendable {
    var basis: SessionBasis
    var factor: FactorProof?
    /// The address or number that was proved.
    var proved: Evidence.Subject?
    /// When the person proved who they are, if that was not now.
    var authenticatedAt: Timestamp?
    /// Claims for the session only.
    var claims: [String: ClaimValue] = [:]
    /// Whether it shows who the person is, rather than adding something that they will show from now on.
    var countsAsReauthentication = true

    init(_ basis: SessionBasis, factor: FactorProof? = nil, proved: Evidence.Subject? = nil) {
        self.basis = basis
        self.factor = factor
        self.proved = proved
    }
}

extension Transaction {
    /// Opens a session on an account of which nothing changes: what most sign-ins are.
    mutating func signIn(toUnchanged account: Account, authentication: Authentication) -> SignedIn {
        let session = open(
            for: account.id,
            sessionGeneration: account.sessionGeneration,
            authentication: authentication
        )
        event(.signedIn, account.id, by: .session(session.id))
        changes.reads.append(AccountRead(id: account.id, version: account.version))
        return SignedIn(account: account, session: session, isNewUser: false, lastSignIn: context.now)
    }

    /// Whether a sign-in that shows this would leave the account as it is.
    func leavesUnchanged(_ account: Account, authentication: Authentication) -> Bool {
        guard authentication.factor == nil, account.deletedUntil == nil else { return false }
        guard let proved = authentication.proved, let generation = authentication.basis.generation else { return true }
        return account.methods.contains { $0.generation == generation && $0.isCovered(by: proved) }
    }

    /// Writes an account and opens a session for somebody who just proved who they are.
    ///
    /// A new account has no older value.
    mutating func signIn(
        to account: inout Account,
        from old: Account?,
        authentication: Authentication,
        by actor: EventActor = .arrival
    ) -> SignedIn {
        let session = open(
            for: account.id,
            sessionGeneration: account.sessionGeneration,
            authentication: authentication
        )
        account.cover(in: session, at: context.now)
        authentication.factor?.spend(in: &account, &self)
        if account.deletedUntil != nil {
            account.deletedUntil = nil
            reasons.append(.signInKeepsAccount)
            event(.deletionTakenBack, account.id, by: .session(session.id))
        }
        if let old { update(old, to: &account, by: actor) } else { create(account, by: actor) }
        event(.signedIn, account.id, by: .session(session.id))
        return SignedIn(account: account, session: session, isNewUser: old == nil, lastSignIn: context.now)
    }

    private mutating func open(for account: AccountID, sessionGeneration: UInt32, authentication: Authentication)
        -> Session
    {
        var session = Session(
            id: SessionID(bits: context.fresh.session),
            account: account,
            sessionGeneration: sessionGeneration,
            basis: authentication.basis,
            at: context.now,
            device: context.device,
            origin: context.request.context.origin,
            deviceName: context.request.context.deviceName
        )
        if let proved = authentication.proved { session.proved = [proved] }
        session.authenticatedAt = min(authentication.authenticatedAt ?? context.now, context.shownAt)
        session.factor = authentication.factor?.use
        session.claims = authentication.claims
        changes.sessions.append(.put(session))
        changes.signIns.append(SignInRecord(account: account, at: context.now))
        return session
    }

    /// Writes an account and keeps the acting session through the change, resting on what was just shown.
    mutating func keep(
        _ acting: ActingSession,
        with account: inout Account,
        authentication: Authentication? = nil,
        lastSignIn: Timestamp?
    ) -> SignedIn {
        var session = acting.session
        session.sessionGeneration = account.sessionGeneration
        if let authentication {
            session.rest(on: authentication, at: context.shownAt)
            changes.signIns.append(SignInRecord(account: account.id, at: context.now))
            account.cover(in: session, at: context.now)
            authentication.factor?.spend(in: &account, &self)
        }
        rebase(&session, on: account)
        update(acting.account, to: &account, by: .session(session.id))
        // What removed the only method it rests on has ended the session too, so its row goes.
        if session.isAlive(for: account, context) {
            put(session, over: acting.session)
        } else {
            changes.sessions.append(.end(session.id))
        }
        return SignedIn(
            account: account,
            session: session,
            isNewUser: false,
            lastSignIn: authentication == nil ? lastSignIn : context.now
        )
    }

    /// Writes an account to which the acting session added a method by proving it.
    mutating func link(
        _ method: SignInMethod,
        to account: inout Account,
        of acting: ActingSession,
        _ factor: FactorProof?,
        proved: Evidence.Subject?,
        lastSignIn: Timestamp?
    ) -> SignedIn {
        raiseSessionGeneration(of: &account, after: acting, except: acting.session.id)
        let authentication = acting.adding(method, factor: factor, proved: proved, under: context.policy)
        return keep(acting, with: &account, authentication: authentication, lastSignIn: lastSignIn)
    }

    /// Writes an account and lets the acting session rest on a method that it just set, without counting it as a login.
    mutating func rest(
        _ acting: ActingSession,
        on basis: SessionBasis,
        with account: inout Account,
        lastSignIn: Timestamp?
    ) -> SignedIn {
        var session = acting.session
        session.sessionGeneration = account.sessionGeneration
        if !session.used.contains(session.basis), session.basis.generation != nil { session.used.append(session.basis) }
        session.basis = basis
        rebase(&session, on: account)
        update(acting.account, to: &account, by: .session(session.id))
        put(session, over: acting.session)
        return SignedIn(account: account, session: session, isNewUser: false, lastSignIn: lastSignIn)
    }

    /// A session whose own method went in the change rests on another one that was used in it, if there is one.
    private func rebase(_ session: inout Session, on account: Account) {
        let methods = account.methods
        let isGone: (SessionBasis) -> Bool = { used in !methods.contains { $0.generation == used.generation } }
        session.used.removeAll(where: isGone)
        guard session.basis.generation != nil, isGone(session.basis), let other = session.used.last else { return }
        session.basis = other
        session.used.removeLast()
    }

    /// Writes a session row, or the one that the same decision puts.
    mutating func put(_ session: Session, over old: Session) {
        guard session != old else { return }
        if let index = changes.sessions.firstIndex(where: { $0.putID == session.id }) {
            changes.sessions[index] = .put(session)
        } else {
            changes.sessions.append(.update(session, refreshCount: old.refreshCount))
        }
    }

    /// Ends every session of the account but the kept one, by raising the epoch.
    mutating func endOtherSessions(of account: inout Account, except kept: SessionID?) {
        account.sessionGeneration += 1
        changes.sessions.append(.endAll(account.id, except: kept))
        if context.policy.endsAddressChanges { changes.records.append(.revokeAll(account.id, [.changeEmail])) }
    }

    /// Ends every session of the account but the kept one, where the policy says that this does.
    mutating func raiseSessionGeneration(
        of account: inout Account,
        for cause: AuthPolicy.SessionRevocationTrigger,
        except kept: SessionID?
    ) {
        if context.policy.revokesSessionsOn.contains(cause) { endOtherSessions(of: &account, except: kept) }
    }

    /// Raises the epoch for a first method or a first proof, where the policy says so.
    mutating func raiseSessionGeneration(
        of account: inout Account,
        after acting: ActingSession,
        except kept: SessionID?
    ) {
        let policy = context.policy
        let isFirstMethod = acting.account.methods.isEmpty && policy.revokesSessionsOn.contains(.firstMethod)
        let isFirstVerification =
            !acting.account.isEmailVerified(under: policy) && account.isEmailVerified(under: policy)
            && policy.revokesSessionsOn.contains(.firstVerification)
        if isFirstMethod || isFirstVerification { endOtherSessions(of: &account, except: kept) }
    }
}

extension Session {
    /// Rests on what was just shown; what it rested on before counts as used.
    fileprivate mutating func rest(on authentication: Authentication, at shownAt: Timestamp) {
        if !authentication.countsAsReauthentication {
            if authentication.basis != basis, !used.contains(authentication.basis) { used.append(authentication.basis) }
        } else if authentication.basis != basis {
            if !used.contains(basis), basis.generation != nil { used.append(basis) }
            used.removeAll { $0 == authentication.basis }
            basis = authentication.basis
        }
        if let factor = authentication.factor { self.factor = factor.use }
        if let subject = authentication.proved, !proved.contains(subject) { proved.append(subject) }
        guard authentication.countsAsReauthentication else { return }
        authenticatedAt = max(authenticatedAt, min(authentication.authenticatedAt ?? shownAt, shownAt))
    }
}

extension SessionChange {
    /// The session that this puts, if it puts one.
    fileprivate var putID: SessionID? {
        guard case .put(let session) = self else { return nil }
        return session.id
    }
}
