#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a granted sign-in or change leaves behind.
package struct SignedIn: Sendable {
    /// The account after the change.
    package let account: Account
    /// The session after the change.
    package let session: Session
    /// Whether the account was made by this.
    package let isNewUser: Bool
    /// When somebody last signed in to the account.
    package let lastSignIn: Date?
}

extension Draft {
    /// Opens a session for somebody who just proved who they are.
    package mutating func openSession(
        for account: Account,
        on basis: SessionBasis,
        factor: FactorProof? = nil,
        isNewUser: Bool = false,
        isRecovery: Bool = false,
        authenticatedAt: Date? = nil,
        claims: [String: ClaimValue] = [:]
    ) -> SignedIn {
        var session = Session(
            id: SessionID(bits: ruling.fresh.session),
            account: account.id,
            epoch: account.epoch,
            basis: basis,
            at: ruling.now,
            seat: ruling.context.seat,
            origin: ruling.context.origin,
            device: ruling.context.device
        )
        session.factor = factor?.use
        if let authenticatedAt { session.authenticatedAt = min(authenticatedAt, ruling.now) }
        session.isRecovery = isRecovery
        session.claims = claims
        changes.sessions.append(.put(session))
        changes.signIns.append(SignInRecord(account: account.id, at: ruling.now))
        event(.signedIn, account.id, by: .session(session.id))
        return SignedIn(account: account, session: session, isNewUser: isNewUser, lastSignIn: ruling.now)
    }

    /// Keeps the acting session through a change, resting on the method that was just used.
    package mutating func keepSession(
        _ old: Session,
        for account: Account,
        on basis: SessionBasis? = nil,
        factor: FactorProof? = nil,
        renewsProof: Bool = false,
        lastSignIn: Date?
    ) -> SignedIn {
        var session = old
        session.epoch = account.epoch
        if let basis, basis != session.basis {
            if !session.used.contains(session.basis) { session.used.append(session.basis) }
            session.basis = basis
        }
        if let factor { session.factor = factor.use }
        if renewsProof {
            session.authenticatedAt = ruling.now
            changes.signIns.append(SignInRecord(account: account.id, at: ruling.now))
        }
        if session != old { changes.sessions.append(.update(session, refreshCount: session.refreshCount)) }
        return SignedIn(
            account: account,
            session: session,
            isNewUser: false,
            lastSignIn: renewsProof ? ruling.now : lastSignIn
        )
    }

    /// Ends every session of the account but the kept one, by raising the epoch.
    package mutating func endOtherSessions(of account: inout Account, except kept: SessionID?) {
        account.epoch += 1
        changes.sessions.append(.endAll(account.id, except: kept))
    }

    /// Records a change of methods as one event with both sides.
    package mutating func methodsChanged(from old: Account, to new: Account, by actor: Actor) {
        let before = old.methodSummaries
        let after = new.methodSummaries
        guard before != after else { return }
        event(.methodsChanged, new.id, by: actor, evidence: new.evidence, before: before, after: after)
    }
}
