/// Writing the row of a session that continues, and ending others.
extension Transaction {
    /// Ends all sessions of the account except this one, and none that the decision opens.
    mutating func endSessions(of account: AccountID, except kept: SessionID? = nil) {
        // A store applies the changes in order.
        let others = changes.sessions.prefix { if case .endAll = $0 { true } else { false } }
        changes.sessions.insert(.endAll(account, except: kept), at: others.count)
    }

    /// Ends every session of the account except the kept ones, by raising the session generation.
    ///
    /// A store ends all sessions but one. Where two stay, the rows of the others stay, too, until they expire.
    mutating func endOtherSessions(of account: inout Account, except kept: SessionID?, and other: SessionID? = nil) {
        account.sessionGeneration += 1
        account.postponeExpiry(hasSessions: kept != nil, context)
        if other == nil { endSessions(of: account.id, except: kept) }
        if context.policy.endsAddressChanges { revokeAll(of: account.id, [.changeEmail]) }
    }

    /// Ends every session of the account except the kept ones, if the policy says that one of these events does.
    ///
    /// Under every policy, tokens that the acting session was issued before are not accepted any more.
    mutating func raiseSessionGeneration(
        of account: inout Account,
        for causes: [AuthPolicy.SessionRevocationTrigger],
        except kept: SessionID?,
        and other: SessionID? = nil
    ) {
        if causes.isEmpty { return }
        changesPrivileges = true
        if !causes.contains(where: context.policy.revokesSessionsOn.contains) { return }
        endOtherSessions(of: &account, except: kept, and: other)
    }

    /// Makes the session follow the change: it gets the account's session generation, counts as used, and, if
    /// privileges changed through it, a new rotation, so that tokens from before do not share in them.
    func advance(_ session: inout Session, on account: Account, isPrivileged: Bool = false) {
        if isPrivileged || changesPrivileges || session.sessionGeneration != account.sessionGeneration {
            // The refresh token from before cannot be exchanged any more, which tells nothing of its bearer.
            if session.refreshCount != session.rotation { session.voidedCount = session.refreshCount }
            session.refreshCount += 1
            session.rotation = session.refreshCount
        }
        session.sessionGeneration = account.sessionGeneration
        noteUse(of: &session, on: account)
    }

    /// Records that the session is used, but not more often than need be, and until when it lasts now.
    func noteUse(of session: inout Session, on account: Account) {
        let (limits, unused) = (context.policy.sessions, context.now - session.activeAt)
        if unused >= .hours(1) || limits.mustRecordUse(after: unused, on: account) { session.activeAt = context.now }
        session.expiresAt = limits.end(on: account, activeAt: session.activeAt, loginAt: session.loginAt)
    }

    /// If the session would end because the change removed its method, lets it rest on another method used in it.
    func rebase(_ session: inout Session, on account: Account) {
        let methods = account.methods
        let isGone: (Session.Basis) -> Bool = { used in !methods.contains { $0.generation == used.generation } }
        session.used.removeAll(where: isGone)
        guard context.policy.removedMethod == .endsItsSessions, session.basis.generation != nil, isGone(session.basis),
            let other = session.used.popLast()
        else { return }
        session.basis = other
        // The removed one counts no more as presented; the other one was at some time since the session began.
        if methods.contains(where: { $0.generation == other.generation && $0.addedAt < context.now }) {
            session.authenticatedAt = min(session.authenticatedAt, session.createdAt)
        }
    }

    /// Writes a session row, replacing the one that the same decision may have written.
    mutating func put(_ session: Session, over old: Session) {
        // A session that the decision ends is not written again.
        guard session != old, !changes.sessions.contains(.end(session.id)) else { return }
        let place = changes.sessions.firstIndex { if case .put(let new) = $0 { new.id == session.id } else { false } }
        if let place {
            changes.sessions[place] = .put(session)
        } else {
            changes.sessions.append(.update(session, refreshCount: old.refreshCount))
        }
    }
}
