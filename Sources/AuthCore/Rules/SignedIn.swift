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
struct Showing: Sendable {
    var basis: SessionBasis
    var factor: FactorProof?
    /// The address or number that was proved.
    var proved: Evidence.Subject?
    /// When the person proved who they are, if that was not now.
    var authenticatedAt: Timestamp?
    /// Claims for the session only.
    var claims: [String: ClaimValue] = [:]
    /// Whether it shows who the person is, rather than adding something that they will show from now on.
    var isLogin = true

    init(_ basis: SessionBasis, factor: FactorProof? = nil, proved: Evidence.Subject? = nil) {
        self.basis = basis
        self.factor = factor
        self.proved = proved
    }
}

extension Transaction {
    /// Opens a session on an account of which nothing changes: what most sign-ins are.
    mutating func signIn(toUnchanged account: Account, showing: Showing) -> SignedIn {
        let session = open(for: account.id, epoch: account.epoch, showing: showing)
        event(.signedIn, account.id, by: .session(session.id))
        changes.reads.append(AccountRead(id: account.id, version: account.version))
        return SignedIn(account: account, session: session, isNewUser: false, lastSignIn: context.now)
    }

    /// Whether a sign-in that shows this would leave the account as it is.
    func leavesUnchanged(_ account: Account, showing: Showing) -> Bool {
        guard showing.factor == nil, account.deletedUntil == nil else { return false }
        guard let proved = showing.proved, let generation = showing.basis.generation else { return true }
        return account.methods.contains { $0.generation == generation && $0.isCovered(by: proved) }
    }

    /// Writes an account and opens a session for somebody who just proved who they are.
    ///
    /// A new account has no older value.
    mutating func signIn(
        to account: inout Account,
        from old: Account?,
        showing: Showing,
        by actor: EventActor = .arrival
    ) -> SignedIn {
        let session = open(for: account.id, epoch: account.epoch, showing: showing)
        account.cover(in: session, at: context.now)
        showing.factor?.spend(in: &account, &self)
        if account.deletedUntil != nil {
            account.deletedUntil = nil
            reasons.append(.signInKeepsAccount)
            event(.deletionTakenBack, account.id, by: .session(session.id))
        }
        if let old { update(old, to: &account, by: actor) } else { create(account, by: actor) }
        event(.signedIn, account.id, by: .session(session.id))
        return SignedIn(account: account, session: session, isNewUser: old == nil, lastSignIn: context.now)
    }

    private mutating func open(for account: AccountID, epoch: UInt32, showing: Showing) -> Session {
        var session = Session(
            id: SessionID(bits: context.fresh.session),
            account: account,
            epoch: epoch,
            basis: showing.basis,
            at: context.now,
            seat: context.seat,
            origin: context.request.context.origin,
            device: context.request.context.device
        )
        if let proved = showing.proved { session.proved = [proved] }
        session.authenticatedAt = min(showing.authenticatedAt ?? context.now, context.shownAt)
        session.factor = showing.factor?.use
        session.claims = showing.claims
        changes.sessions.append(.put(session))
        changes.signIns.append(SignInRecord(account: account, at: context.now))
        return session
    }

    /// Writes an account and keeps the acting session through the change, resting on what was just shown.
    mutating func keep(
        _ acting: ActingSession,
        with account: inout Account,
        showing: Showing? = nil,
        lastSignIn: Timestamp?
    ) -> SignedIn {
        var session = acting.session
        session.epoch = account.epoch
        if let showing {
            session.rest(on: showing, at: context.shownAt)
            changes.signIns.append(SignInRecord(account: account.id, at: context.now))
            account.cover(in: session, at: context.now)
            showing.factor?.spend(in: &account, &self)
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
            lastSignIn: showing == nil ? lastSignIn : context.now
        )
    }

    /// Writes an account to which the acting session added a method by proving it.
    mutating func link(
        _ method: Method,
        to account: inout Account,
        of acting: ActingSession,
        _ factor: FactorProof?,
        proved: Evidence.Subject?,
        lastSignIn: Timestamp?
    ) -> SignedIn {
        raiseEpoch(of: &account, after: acting, except: acting.session.id)
        let showing = acting.adding(method, factor: factor, proved: proved, under: context.policy)
        return keep(acting, with: &account, showing: showing, lastSignIn: lastSignIn)
    }

    /// Writes an account and lets the acting session rest on a method that it just set, without counting it as a login.
    mutating func rest(
        _ acting: ActingSession,
        on basis: SessionBasis,
        with account: inout Account,
        lastSignIn: Timestamp?
    ) -> SignedIn {
        var session = acting.session
        session.epoch = account.epoch
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
        account.epoch += 1
        changes.sessions.append(.endAll(account.id, except: kept))
        if context.policy.endsAddressChanges { changes.capabilities.append(.revokeAll(account.id, [.changeEmail])) }
    }

    /// Ends every session of the account but the kept one, where the policy says that this does.
    mutating func raiseEpoch(
        of account: inout Account,
        for cause: AuthPolicy.EpochRaise,
        except kept: SessionID?
    ) {
        if context.policy.epochRaises.contains(cause) { endOtherSessions(of: &account, except: kept) }
    }

    /// Raises the epoch for a first method or a first proof, where the policy says so.
    mutating func raiseEpoch(of account: inout Account, after acting: ActingSession, except kept: SessionID?) {
        let policy = context.policy
        let isFirstMethod = acting.account.methods.isEmpty && policy.epochRaises.contains(.firstMethod)
        let isFirstProof =
            !acting.account.isEmailVerified(under: policy) && account.isEmailVerified(under: policy)
            && policy.epochRaises.contains(.firstProof)
        if isFirstMethod || isFirstProof { endOtherSessions(of: &account, except: kept) }
    }
}

extension Session {
    /// Rests on what was just shown; what it rested on before counts as used.
    fileprivate mutating func rest(on showing: Showing, at shownAt: Timestamp) {
        if !showing.isLogin {
            if showing.basis != basis, !used.contains(showing.basis) { used.append(showing.basis) }
        } else if showing.basis != basis {
            if !used.contains(basis), basis.generation != nil { used.append(basis) }
            used.removeAll { $0 == showing.basis }
            basis = showing.basis
        }
        if let factor = showing.factor { self.factor = factor.use }
        if let subject = showing.proved, !proved.contains(subject) { proved.append(subject) }
        guard showing.isLogin else { return }
        authenticatedAt = max(authenticatedAt, min(showing.authenticatedAt ?? shownAt, shownAt))
    }
}

extension SessionChange {
    /// The session that this puts, if it puts one.
    fileprivate var putID: SessionID? {
        guard case .put(let session) = self else { return nil }
        return session.id
    }
}
