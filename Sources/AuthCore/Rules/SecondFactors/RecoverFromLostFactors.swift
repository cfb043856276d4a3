/// Takes the second factors off an account whose person lost them all.
///
/// The mailbox alone is not enough: it takes a method that is older than every factor besides, or a wait that any session
/// which has shown a factor can end.
struct RecoverFromLostFactors: DecidingOperation {
    typealias Outcome = LostFactorRecovery

    let mailbox: MailboxProof
    /// What else was shown.
    let other: Proof?

    init(mailbox: MailboxProof, other: Proof?) {
        self.mailbox = mailbox
        self.other = other
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups: Lookups = [.owner(owner), .record(mailbox.capability), .records(of: .owner(owner), .lostFactors)]
        if let other { lookups.insert(contentsOf: SignIn(other).lookups(request)) }
        return lookups
    }

    private var owner: UniqueKey { .primaryEmail(mailbox.email) }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var isOffered: Bool
        var owner: OwnerStanding
        var hasFactors: Bool
        var isAddressProven: Bool
        var other: Other
        var waiting: Waiting
    }

    /// What was shown beside the mailbox.
    enum Other: Sendable, Hashable, CaseIterable {
        case nothing
        /// Something that does not open the account.
        case wrong
        /// A method that is younger than a factor, or that the mailbox could have set.
        case younger
        case older
    }

    enum Waiting: Sendable, Hashable, CaseIterable {
        case notBegun
        case goesOn
        case over
    }

    enum Finding: Sendable, Hashable {
        case remove
        case begin
        case wait
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if !facts.isOffered { return .refuse(.operationNotAllowed, .lostFactorsAreForAdministrators) }
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        switch facts.owner {
        case .none: return .refuse(.userNotFound, .addressIsUnknown)
        case .disabled: return .refuse(.userDisabled, .accountIsDisabled)
        case .open: break
        }
        if !facts.isAddressProven { return .refuse(.unverifiedEmail, .addressIsNotProven) }
        if !facts.hasFactors { return .refuse(.multiFactorInfoNotFound, .factorIsUnknown) }
        if facts.other == .wrong { return .refuse(.invalidCredential, .credentialIsOfAnother) }
        if facts.other == .older { return .remove }
        switch facts.waiting {
        case .notBegun: return .begin
        case .goesOn: return .wait
        case .over: return .remove
        }
    }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<LostFactorRecovery> {
        let found = snapshot.owner(of: owner)
        let pending = snapshot.records(of: .owner(owner), .lostFactors).first
        let finding = Self.rule(
            Facts(
                code: snapshot.signInLinkStanding(mailbox, context),
                isOffered: context.policy.factorRecoveryWait != nil,
                owner: OwnerStanding(found?.email == mailbox.email ? found : nil),
                hasFactors: found.map { !$0.activeFactors.isEmpty } ?? false,
                isAddressProven: found?.isEmailVerified(under: context.policy) ?? false,
                other: found.map { standing(ofOtherFor: $0, in: snapshot, context) } ?? .nothing,
                waiting: waiting(pending, context)
            )
        )
        var transaction = Transaction(context)
        transaction.reasons.append(.mailboxIsProven)
        transaction.changes.capabilities.append(.consume(mailbox.capability))
        switch finding {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), context)
        case .begin:
            let (owner, wait) = (try found.promised(), try context.policy.factorRecoveryWait.promised())
            transaction.read(owner)
            let begun = Capability(
                key: .lostFactors(of: owner.id),
                account: owner.id,
                createdAt: context.now,
                expiresAt: context.now + wait * 2,
                content: .lostFactors
            )
            // One whose time ran out is there until somebody sweeps.
            transaction.changes.capabilities.append(pending == nil ? .put(begun) : .replace(begun))
            transaction.event(.factorRecoveryBegun, owner.id, by: .mailbox(mailbox.email))
            transaction.tell(ofFactorRecoveryOf: owner)
            return transaction.granted(.waiting(until: context.now + wait))
        case .wait:
            let begun = try pending.promised().createdAt
            let wait = try context.policy.factorRecoveryWait.promised()
            return transaction.granted(.waiting(until: begun + wait))
        case .remove:
            let owner = try found.promised()
            transaction.reasons.append(.factorsAreLost)
            var account = owner
            account.factors = []
            account.recoveryCodes = []
            transaction.endOtherSessions(of: &account, except: nil)
            transaction.changes.capabilities.append(.revokeAll(owner.id, [.factorChallenge, .totpSeed, .lostFactors]))
            if case .phone(let proof)? = other { transaction.changes.capabilities.append(.consume(proof.capability)) }
            if case .federated(let proof)? = other { proof.spend(context, &transaction) }
            transaction.update(owner, to: &account, by: .mailbox(mailbox.email))
            return transaction.granted(.removed)
        }
    }

    private func waiting(_ pending: Capability?, _ context: DecisionContext) -> Waiting {
        guard let pending, pending.isLive(at: context.now), let wait = context.policy.factorRecoveryWait else {
            return .notBegun
        }
        return context.now - pending.createdAt >= wait ? .over : .goesOn
    }

    private func standing(ofOtherFor owner: Account, in snapshot: Snapshot, _ context: DecisionContext) -> Other {
        let method: Method?
        switch other {
        case nil: return .nothing
        case .password(let proof)?:
            method = PasswordStanding(proof, of: owner) == .matches ? owner.passwordMethod : nil
        case .federated(let proof)?:
            if proof.refusal(in: snapshot, context) != nil { return .wrong }
            method = owner.method(for: proof.identity.key)
        case .phone(let proof)?:
            if snapshot.phoneCodeStanding(proof, context) != .good { return .wrong }
            method = owner.phoneNumber == proof.number ? owner.phoneMethod : nil
            // The number may be somebody else's by now.
            if method != nil, owner.hasOldPhoneProof(at: context.now, under: context.policy) { return .younger }
        case .mailbox?, .customToken?, .anonymous?: method = nil
        }
        guard let method, method.isActive else { return .wrong }
        // When it was set counts, not from when it is senior: whoever has the mailbox can set a password.
        return owner.activeFactors.allSatisfy { method.addedAt < $0.enrolledAt } ? .older : .younger
    }
}

/// What asking for the removal of lost factors came to.
public enum LostFactorRecovery: Sendable, Hashable {
    /// The factors are off the account; sign in without one.
    case removed
    /// They go when it is asked again after this moment, unless a session that has shown one objects.
    case waiting(until: Timestamp)
}

/// Ends the waiting of somebody who says that the factors were lost.
struct ObjectToFactorRecovery: ActingOperation {
    typealias Outcome = SignedIn

    let handle: ActingHandle

    init(handle: ActingHandle) { self.handle = handle }

    func decide(for acting: ActingSession, on snapshot: Snapshot, _ context: DecisionContext) -> Decision<SignedIn> {
        if acting.account.factorStanding(in: acting.session, shown: nil) != .shown {
            return refuse(Refusal(.requiresRecentLogin, .secondFactorIsOwed), context)
        }
        var transaction = Transaction(context)
        transaction.reasons.append(.personChangesFactors)
        transaction.changes.capabilities.append(.revokeAll(acting.account.id, [.lostFactors]))
        transaction.event(.factorRecoveryEnded, acting.account.id, by: .session(acting.session.id))
        var account = acting.account
        return transaction.granted(
            transaction.keep(acting, with: &account, lastSignIn: snapshot.lastSignIn(of: account.id))
        )
    }
}

extension CapabilityKey {
    /// The key under which the waiting of somebody who lost their factors is kept.
    static func lostFactors(of account: AccountID) -> CapabilityKey {
        CapabilityKey(digestOf: "lost factors\u{0}" + account.text)
    }
}
