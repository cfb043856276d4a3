/// Applies a mailed code that proves an address, moves an account to one, or takes a move back.
struct ApplyEmailAction: Operation {
    typealias Outcome = Account

    let code: CapabilityKey
    /// The session in which the link was opened, if it was opened in one.
    let opener: SessionID?
    /// The code that lets the address that is left take the change back.
    let recovery: IssuedCode

    init(code: CapabilityKey, opener: SessionID?, recovery: IssuedCode) {
        self.code = code
        self.opener = opener
        self.recovery = recovery
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups: Lookups = [.record(code)]
        if let opener { lookups.insert(.session(opener)) }
        return lookups
    }

    /// What the code is for, as far as the rule is concerned.
    enum Purpose: Sendable, Hashable, CaseIterable {
        case verify
        case change
        case recover
        case somethingElse
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var purpose: Purpose
        /// Whether the account that the code was made for is there, with the address that the code is bound to.
        var isBindingIntact: Bool
        var newAddress: NewAddressHolder
        /// Whether somebody else who has the address proved it, or left it not long ago.
        var isOtherProven: Bool
    }

    enum Finding: Sendable, Hashable {
        case apply
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        switch facts.purpose {
        case .somethingElse:
            return .refuse(.invalidActionCode, .codeIsForSomethingElse)
        case .verify:
            if !facts.isBindingIntact { return .refuse(.invalidActionCode, .codeIsOutdated) }
            return facts.newAddress == .another && facts.isOtherProven
                ? .refuse(.emailAlreadyInUse, .addressIsOwned) : .apply
        case .change, .recover:
            if !facts.isBindingIntact { return .refuse(.invalidActionCode, .codeIsOutdated) }
            if facts.newAddress == .nobody || (facts.newAddress == .another && !facts.isOtherProven) { return .apply }
            return .refuse(.emailAlreadyInUse, .addressIsOwned)
        }
    }

    /// The code names the address, so the snapshot needs a second look once it was read.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard let content = seen.record(code)?.content, let address = content.provedAddress else { return nil }
        var lookups = Lookups()
        lookups.insert(ownerOf: address)
        if let asker = content.asker { lookups.insert(.session(asker)) }
        return lookups
    }

    /// The session that goes on: the one in which the link was opened, or else the one that asked for it.
    private func session(of account: Account, in seen: Snapshot) -> Session? {
        if let opener, let session = seen.session(opener), session.account == account.id { return session }
        return seen.record(code)?.content.asker.flatMap { seen.session($0) }
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<Account> {
        let content = snapshot.record(code)?.content
        let facts = facts(of: content, in: snapshot, by: ruling)
        if case .refuse(let code, let reason) = Self.rule(facts) { return refuse(Refusal(code, reason), by: ruling) }
        let old = try snapshot.account(of: code).promised()
        let proved = try (content?.provedAddress).promised()
        var draft = Draft(ruling)
        var account = old
        draft.changes.capabilities.append(.consume(code))
        if let other = snapshot.owner(ofAddress: proved, under: ruling.policy), other.id != old.id {
            draft.evict(other, by: .mailbox(proved))
        }
        draft.expectNobody(hasTwinOf: proved, in: snapshot)
        if case .recoverEmail(let recovery)? = content {
            draft.reasons.append(.addressIsRecovered)
            if ruling.policy.emailRecovery == .everyChange, account.deletedUntil != nil {
                // Whoever had taken the address away may have asked for the deletion, too.
                account.deletedUntil = nil
                draft.event(.deletionTakenBack, account.id, by: .mailbox(recovery.restores))
            }
            account.moveToUnproven(recovery.restores, at: ruling.now)
            if recovery.suspendsLaterMethods { account.suspendAdded(since: recovery.generation, by: ruling) }
            if ruling.policy.emailRecovery == .everyChange {
                account.forgetAddresses(since: recovery.restores)
                draft.changes.capabilities.append(
                    .revokeAll(
                        old.id,
                        [.verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed, .notMe]
                    )
                )
            }
        } else {
            draft.reasons.append(.mailboxIsProven)
            if case .changeEmail(_, let new, _)? = content {
                account.moveToUnproven(new, at: ruling.now)
                if ruling.policy.emailRecovery == .everyChange { draft.offerRecovery(of: old, in: &account, recovery) }
            }
        }
        finish(old, &account, proving: proved, in: snapshot, &draft)
        return draft.granted(account)
    }

    /// Writes the account after its mailbox was proved; the session that opened the link is covered by the proof.
    ///
    /// Nothing is covered if it was opened outside any. Then it is the session that asked for it which goes on.
    private func finish(
        _ old: Account,
        _ account: inout Account,
        proving email: EmailAddress,
        in snapshot: Snapshot,
        _ draft: inout Draft
    ) {
        let ruling = draft.ruling
        let isFirst = !old.isEmailVerified(under: ruling.policy)
        account.note(.email(email), .mailboxCode, at: ruling.now)
        account.reservesEmail = true
        draft.endProvision(of: &account)
        account.reservations.removeAll { $0.email == email }
        var spared: (old: Session, new: Session)?
        if let session = session(of: old, in: snapshot), session.account == old.id,
            session.isAlive(for: old, by: ruling)
        {
            var new = session
            if session.id == opener {
                new.note(proof: .email(email))
                account.cover(in: new, at: ruling.now)
            }
            spared = (session, new)
        }
        if isFirst { draft.raiseEpoch(of: &account, for: .firstProof, except: spared?.old.id) }
        if case .recoverEmail? = snapshot.record(code)?.content, ruling.policy.emailRecovery == .everyChange {
            draft.endOtherSessions(of: &account, except: nil)
        } else if let (before, spared) = spared {
            var after = spared
            after.epoch = account.epoch
            draft.put(after, over: before)
        }
        draft.update(old, to: &account, by: .mailbox(email))
        if case .recoverEmail? = snapshot.record(code)?.content, let left = old.email, left != email {
            // Whoever had moved the account there is not given another code.
            draft.retractNotices(about: account.id, at: left)
        }
        if account.email == old.email {
            draft.event(.emailProven, account.id, by: .mailbox(email), evidence: account.evidence)
        }
    }

    private func facts(of content: Capability.Content?, in snapshot: Snapshot, by ruling: Ruling) -> Facts {
        let account = snapshot.account(of: code)
        var facts = Facts(
            code: snapshot.standing(of: code, by: ruling) { _ in true },
            purpose: .somethingElse,
            isBindingIntact: account != nil,
            newAddress: .nobody,
            isOtherProven: false
        )
        let other = snapshot.owner(ofAddress: content?.provedAddress, under: ruling.policy)
        if let proved = content?.provedAddress, let other, let account {
            facts.isOtherProven = other.id != account.id && !other.givesWay(of: proved, under: ruling.policy)
            facts.newAddress = NewAddressHolder(of: proved, for: account, in: snapshot, under: ruling.policy)
        }
        switch content {
        case .verifyEmail(let email, _):
            facts.purpose = .verify
            facts.isBindingIntact = account?.email == email
            // An address that the account only shows may be somebody else's own.
            if let other, other.id != account?.id {
                facts.newAddress = .another
            }
        case .changeEmail(let current, _, _):
            facts.purpose = .change
            facts.isBindingIntact = account?.email == current
        case .recoverEmail(let recovery):
            facts.purpose = .recover
            if ruling.policy.emailRecovery == .everyChange {
                // Whoever came back to an earlier address ended what came after it.
                let isHeld = account?.reservations.contains { $0.email == recovery.restores } ?? false
                facts.isBindingIntact = isHeld || account?.email == recovery.restores
            }
        default:
            break
        }
        return facts
    }
}

extension Account {
    /// Suspends the methods and factors that were added since a change.
    fileprivate mutating func suspendAdded(since generation: UInt32, by ruling: Ruling) {
        let suspension = Suspension(since: ruling.now, reason: .addressIsRecovered)
        for index in methods.indices where methods[index].generation >= generation && methods[index].isActive {
            methods[index].suspension = suspension
        }
        for index in factors.indices where factors[index].generation >= generation {
            factors[index].suspension = suspension
        }
    }
}

extension Account {
    /// Lets go of an address to which the account comes back, and of those that it had after it.
    fileprivate mutating func forgetAddresses(since email: EmailAddress) {
        guard let index = reservations.firstIndex(where: { $0.email == email }) else { return }
        reservations.removeSubrange(index...)
    }
}

extension Capability.Content {
    /// The address that applying the code proves.
    fileprivate var provedAddress: EmailAddress? {
        switch self {
        case .verifyEmail(let email, _): email
        case .changeEmail(_, let new, _): new
        case .recoverEmail(let recovery): recovery.restores
        default: nil
        }
    }

    /// The session that asked for the code.
    fileprivate var asker: SessionID? {
        switch self {
        case .verifyEmail(_, let asker), .changeEmail(_, _, let asker): asker
        default: nil
        }
    }
}
