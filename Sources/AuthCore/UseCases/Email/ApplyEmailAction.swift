/// Applies a mailed code that verifies an address, changes an account's address, or reverses such a change.
struct ApplyEmailAction: Operation {
    let code: OneTimeRecordID
    /// The session in which the link was opened, if it was opened in one.
    let handle: ActingHandle?
    /// The code with which the replaced address can reverse the change.
    let recovery: IssuedCode

    func lookups(_ request: Request) -> Lookups {
        var lookups: Lookups = [.record(code)]
        if let handle { lookups.insert(.session(handle.session)) }
        return lookups
    }

    /// The code names the address, so a second lookup is needed after the code was read.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard let record = seen.record(code), let address = record.content.verifiedAddress else { return nil }
        var lookups: Lookups = [request.owner(of: address)]
        if let asker = record.content.asker { lookups.insert(.session(asker)) }
        if record.purpose == .recoverEmail, let account = record.account {
            lookups.insert(.records(of: .account(account), .changeReport))
        }
        return lookups
    }

    /// The purpose of the code, as far as the rule needs it.
    enum Purpose: Sendable, Hashable, CaseIterable {
        case verify
        case change
        case recover
        case somethingElse
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStatus
        var purpose: Purpose
        /// Whether the account that the code was made for is there, with the address that the code is bound to.
        var isBindingIntact: Bool
        var newAddress: OwnerRelation
        /// Whether another account has the address and verified it, or left it recently.
        var isOtherVerified: Bool
    }

    /// Throws if the code cannot be applied.
    static func rule(_ facts: Facts) throws(Refusal) {
        if let refusal = facts.code.refusal { throw refusal }
        if facts.purpose == .somethingElse { throw .codeForSomethingElse }
        if !facts.isBindingIntact { throw .codeOutdated }
        switch facts.newAddress {
        case .noAccount: return
        case .thePerson: if facts.purpose != .verify { throw .addressTheSame }
        case .another: if facts.isOtherVerified { throw .addressOwned }
        }
    }

    private func facts(of content: OneTimeRecord.Content?, in seen: Snapshot, _ context: DecisionContext) -> Facts {
        let account = seen.account(of: code)
        var facts = Facts(
            code: seen.status(of: code, context),
            purpose: .somethingElse,
            isBindingIntact: account != nil,
            newAddress: .noAccount,
            isOtherVerified: false
        )
        let other = seen.owner(ofAddress: content?.verifiedAddress, under: context.policy)
        if let verified = content?.verifiedAddress, let other, let account {
            facts.isOtherVerified = other.id != account.id && !other.yieldsEmail(of: verified, under: context.policy)
            facts.newAddress = OwnerRelation(ofWanted: verified, for: account, in: seen, under: context.policy)
        }
        switch content {
        case .verifyEmail(let email, _):
            facts.purpose = .verify
            facts.isBindingIntact = account?.email == email
            // An address that the account only displays may be another account's own.
            if let other, other.id != account?.id { facts.newAddress = .another }
        case .changeEmail(let current, _, _):
            facts.purpose = .change
            // What ends a session ends what it asked for, also where that was a sign-out.
            facts.isBindingIntact = account?.email == current
            if context.policy.endsAddressChanges, let account, let asker = content?.asker {
                let session = alive(asker, account, seen, context)
                // What took the factor away that the session had shown also ends it.
                let owesFactor = session.map { account.factorStatus(in: $0, presented: nil) == .required } ?? false
                let needsFactor =
                    context.policy.recencyNeedsFactor
                    && context.policy.recency.operations.contains(.changeEmail)
                if session == nil || needsFactor && owesFactor { facts.isBindingIntact = false }
            }
        case .recoverEmail(let recovery):
            facts.purpose = .recover
            let isLocked = account?.reserves(exactly: recovery.restores) ?? false
            // An attacker may have put the address back, to keep its owner from taking it back.
            if isLocked, account?.email == recovery.restores { facts.newAddress = .noAccount }
            // Returning to an earlier address ended the changes after it. An address that the account only displays is
            // another's, or was given back.
            let isOwn = account.map { $0.reservesEmail && $0.email == recovery.restores } ?? false
            if recovery.suspendsLaterMethods { facts.isBindingIntact = isLocked || isOwn }
        default: break
        }
        return facts
    }

    /// What a code did: the account with the session in which the link was opened, nil outside of one or if that has
    /// ended; and the address, if the code restored it.
    typealias Outcome = (signedIn: SignedIn?, restored: EmailAddress?)

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Outcome {
        let context = transaction.context
        let record = seen.record(code)
        try Self.rule(facts(of: record?.content, in: seen, context))
        guard let old = seen.account(of: code), let record, let verified = record.content.verifiedAddress else {
            throw .contradiction
        }
        var account = old
        transaction.consume(code)
        if let other = seen.otherOwner(ofAddress: verified, than: old.id, under: context.policy) {
            transaction.releaseEmail(other, by: .mailbox(verified))
        }
        if case .recoverEmail(let recovery) = record.content {
            takeBack(recovery, of: record.createdAt, on: &account, in: seen, &transaction)
        } else {
            transaction.reasons.append(.mailboxIsVerified)
        }
        if case .changeEmail(_, let new, _) = record.content {
            account.moveToUnverified(new, at: context.now)
            let asker = alive(record.content.asker, old, seen, context).map {
                ActingSession(reference: AccountReference(old), session: $0, seen: seen)
            }
            transaction.authorizedSince = asker?.seniorSince ?? .distantPast
            if context.policy.emailRecovery == .everyChange, !account.reserves(mailboxOf: new),
                !isConfirmedByOldMailbox(record, of: old, in: seen, context)
            {
                transaction.offerRecovery(of: old, in: &account, recovery)
            }
        }
        let signedIn = finish(old, &account, by: record, verifying: verified, in: seen, &transaction)
        return (signedIn, record.purpose == .recoverEmail ? verified : nil)
    }

    /// Whether the session that asked for the change opened a link from each address since: first one from the address
    /// that the change replaces, and now this one.
    ///
    /// Then both mailboxes confirmed it, and the old one gets a notice that cannot reverse it. A link that was opened
    /// before says nothing about the change: the session may have been stolen since. Nor does one if this link is
    /// opened elsewhere: a thief of the session may have asked, and the person logged in for something else.
    private func isConfirmedByOldMailbox(
        _ record: OneTimeRecord,
        of old: Account,
        in seen: Snapshot,
        _ context: DecisionContext
    ) -> Bool {
        guard let session = alive(openingSession(in: seen), old, seen, context) else { return false }
        return session.id == record.content.asker && session.basis.kind == .emailLink
            && session.authenticatedAt > record.createdAt
    }

    /// Changes the account's address back to the one that it had before a change at this time.
    private func takeBack(
        _ recovery: Store.EmailRecovery,
        of changedAt: Timestamp,
        on account: inout Account,
        in seen: Snapshot,
        _ transaction: inout Transaction
    ) {
        let context = transaction.context
        transaction.reasons.append(.addressIsRecovered)
        if context.policy.emailRecovery == .everyChange {
            // An attacker who changed the address may also have asked for the deletion.
            transaction.cancelDeletion(of: &account, by: .mailbox(recovery.restores))
        }
        account.moveToUnverified(recovery.restores, at: context.now)
        account.restoreEvidence(of: recovery.restores, since: changedAt)
        if recovery.suspendsLaterMethods {
            let methods = account.methods
            account.suspendAdded(since: recovery.generation, changedAt, context)
            // The address is verified by this code, after which mail may sign in.
            var verified = account
            verified.own(recovery.restores, at: context.now)
            if !verified.isRecoverable(under: context.policy) {
                transaction.reasons.append(.methodIsTheLast)
                account.methods = methods
            }
        }
        if let codes = recovery.recoveryCodes { account.recoveryCodes.removeAll { !codes.contains($0) } }
        account.forgetAddresses(since: recovery.restores)
        if context.policy.emailRecovery == .everyChange {
            transaction.revokeUnfinished(of: account.id)
            // Notices from before the change are the owner's, who may still report what an attacker added first.
            for report in seen.records(of: .account(account.id), .changeReport) where report.createdAt >= changedAt {
                transaction.revoke(report.key)
            }
        }
    }

    /// Writes the account after its mailbox was verified; the session that opened the link is covered by the proof.
    ///
    /// The session that asked for the link continues, too.
    private func finish(
        _ old: Account,
        _ account: inout Account,
        by record: OneTimeRecord,
        verifying email: EmailAddress,
        in seen: Snapshot,
        _ transaction: inout Transaction
    ) -> SignedIn? {
        let context = transaction.context
        let isFirst = !old.isEmailVerified(under: context.policy)
        account.own(email, at: context.now)
        transaction.endProvision(of: &account)
        var opening = alive(openingSession(in: seen), old, seen, context)
        let asker = record.content.asker == opening?.id ? nil : record.content.asker
        let asking = alive(asker, old, seen, context)
        opening?.note(proof: .email(email), at: context.now)
        if let opening { account.cover(in: opening, at: context.now) }
        if isFirst {
            let (kept, other) = opening == nil ? (asking, nil) : (opening, asking)
            transaction.raiseSessionGeneration(
                of: &account,
                for: [.firstVerification],
                except: kept?.id,
                and: other?.id
            )
        }
        if record.purpose == .recoverEmail, context.policy.emailRecovery == .everyChange {
            transaction.endOtherSessions(of: &account, except: nil)
            account.forgetDevices(except: context.request.context.device)
            opening = nil
        } else {
            if var after = opening, let before = seen.session(after.id) {
                after.sessionGeneration = account.sessionGeneration
                // A first proof changes what the session may do, as it does however it is presented there.
                if isFirst { transaction.advance(&after, on: account, isPrivileged: true) }
                transaction.put(after, over: before)
                opening = after
            }
            if var after = asking, let before = asking {
                after.verifiedOnRequest = Evidence.Verification(.email(email), at: context.now)
                after.sessionGeneration = account.sessionGeneration
                transaction.put(after, over: before)
            }
        }
        transaction.update(old, to: &account, by: .mailbox(email))
        if record.purpose == .recoverEmail, let left = old.email, left != email {
            // An attacker who moved the account to that address gets no further code.
            transaction.retractNotices(about: account.id, at: left)
        }
        guard let opening else { return nil }
        return SignedIn(AccountReference(account), opening, lastSignIn: seen.lastSignIn(of: account.id))
    }

    /// The session in which the link was opened; nil for a token of it from before a change of privileges.
    private func openingSession(in seen: Snapshot) -> SessionID? {
        guard let handle, let session = seen.session(handle.session) else { return nil }
        return handle.rotation.map { $0 == session.rotation } ?? true ? session.id : nil
    }

    /// The session with this ID, if it is one of the account's and not over.
    private func alive(_ id: SessionID?, _ account: Account, _ seen: Snapshot, _ context: DecisionContext) -> Session? {
        guard let id, let session = seen.session(id), session.account == account.id else { return nil }
        return session.isAlive(for: account, context) ? session : nil
    }
}

extension Account {
    /// Whether the address is reserved for its owner under this name of its mailbox.
    fileprivate func reserves(exactly email: EmailAddress) -> Bool { reservations.contains { $0.email == email } }

    /// Releases an address to which the account is taken back, and those that it had after it.
    fileprivate mutating func forgetAddresses(since email: EmailAddress) {
        // A code of another policy reserved nothing, and all addresses are later ones.
        reservations.removeSubrange((reservations.firstIndex { $0.email == email } ?? 0)...)
    }

    /// Suspends the methods and factors that were added, or confirmed after a suspension, since a change; not mailed
    /// links, which go to the address again that is taken back.
    fileprivate mutating func suspendAdded(
        since generation: UInt32,
        _ changedAt: Timestamp,
        _ context: DecisionContext
    ) {
        suspendMethods(for: .addressIsRecovered, at: context.now) { method in
            method.kind != .emailLink && (method.generation >= generation || method.setAt > changedAt)
        }
        for index in factors.indices where factors[index].generation >= generation {
            factors[index].suspension = SignInMethod.Suspension(since: context.now, reason: .addressIsRecovered)
        }
    }
}

extension OneTimeRecord.Content {
    /// The address that applying the code verifies.
    fileprivate var verifiedAddress: EmailAddress? {
        switch self {
        case .verifyEmail(let email, _): email
        case .changeEmail(_, let new, _): new
        case .recoverEmail(let recovery): recovery.restores
        default: nil
        }
    }
}
