/// Removes the second factors from an account whose owner lost them all.
///
/// The mailbox alone is not enough. The recovery also requires a method that is older than every factor, or a wait that
/// any session in which a factor was presented can cancel.
struct RecoverFromLostFactors: Operation {
    let mailbox: MailboxProof
    /// What else was presented.
    let other: Proof?

    func lookups(_ request: Request) -> Lookups {
        let owner = request.policy.key(for: mailbox.email)
        var lookups: Lookups = [.owner(owner), .record(mailbox.record), .records(of: .owner(owner), .lostFactors)]
        if let other { lookups.insert(contentsOf: other.lookups(request)) }
        return lookups
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStatus
        var isOffered: Bool
        var owner: OwnerStatus
        var hasFactors: Bool
        var isAddressVerified: Bool
        var other: Other
        /// What is wrong with what was presented.
        var refusal: Refusal?
        var waiting: Waiting
    }

    /// What was presented besides the mailbox.
    enum Other: Sendable, Hashable, CaseIterable {
        case nothing
        /// Something that does not sign in to the account.
        case wrong
        /// A method that is younger than a factor, that the mailbox could have set, or whose provider runs the mailbox.
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
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if !facts.isOffered { throw Refusal(.operationNotAllowed, .lostFactorsAreForAdministrators) }
        if let refusal = facts.code.refusal { throw refusal }
        switch facts.owner {
        case .absent: throw .addressUnknown
        case .disabled: throw .accountDisabled
        case .open: break
        }
        if !facts.isAddressVerified { throw .addressUnverified }
        if !facts.hasFactors { throw .factorUnknown }
        if facts.other == .wrong { throw facts.refusal ?? Refusal(.invalidCredential, .credentialIsOfAnother) }
        if facts.other == .older { return .remove }
        switch facts.waiting {
        case .notBegun: return .begin
        case .goesOn: return .wait
        case .over: return .remove
        }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SecondFactor.Recovery {
        let context = transaction.context
        try context.requireEnabled(.emailLink)
        let key = context.policy.key(for: mailbox.email)
        // An address that the account has left, and that is kept for it, is not its own.
        let found = seen.account(having: mailbox.email, under: context.policy)
        let pending = seen.records(of: .owner(key), .lostFactors).first
        let finding = try Self.rule(
            Facts(
                code: seen.signInLinkStatus(mailbox, context),
                isOffered: context.policy.factorRecoveryWait != nil,
                owner: OwnerStatus(found),
                hasFactors: found.map { !$0.activeFactors.isEmpty } ?? false,
                isAddressVerified: found?.isEmailVerified(under: context.policy) ?? false,
                other: found.map { status(ofOtherFor: $0, in: seen, context) } ?? .nothing,
                refusal: other?.refusal(in: seen, context, as: .signIn),
                waiting: waiting(pending, for: found, context)
            )
        )
        guard let owner = found, let wait = context.policy.factorRecoveryWait else { throw .contradiction }
        transaction.reasons.append(.mailboxIsVerified)
        transaction.consume(mailbox.record)
        switch finding {
        case .begin:
            begin(owner, wait, over: pending, &transaction)
            return .waiting(until: (context.now + wait).date)
        case .wait: return .waiting(until: ((pending?.createdAt ?? context.now) + wait).date)
        case .remove:
            // A cancellation that is written first takes away what this rests on.
            if let pending { transaction.consume(pending.key) }
            transaction.reasons.append(.factorsAreLost)
            var account = owner
            transaction.removeFactors(of: &account)
            if let other { transaction.use(other) }
            transaction.update(owner, to: &account, by: .mailbox(mailbox.email))
            return .removed
        }
    }

    private func begin(
        _ owner: Account,
        _ wait: Duration,
        over earlier: OneTimeRecord?,
        _ transaction: inout Transaction
    ) {
        // What ends a recovery at the same moment must see that one waits.
        var account = owner
        transaction.raiseVersion(of: &account)
        let until = transaction.context.now + wait + max(wait, .hours(24))
        let begun = transaction.record(.lostFactors(of: owner.id), .lostFactors, of: owner.id, until: until)
        // An earlier record that expired stays until the next sweep, so it is replaced.
        if earlier == nil { transaction.put(begun) } else { transaction.replace(begun) }
        transaction.event(.factorRecoveryBegun, owner.id, by: .mailbox(mailbox.email))
        // An owner who still has a factor can cancel it.
        transaction.notify(owner, of: .factorRecoveryBegun)
    }

    /// A recovery that began before a factor was enrolled does not count for it: each is protected for the whole wait.
    ///
    /// A recovery that another mailbox began does not count either.
    private func waiting(_ pending: OneTimeRecord?, for owner: Account?, _ context: DecisionContext) -> Waiting {
        guard let pending, pending.isLive(at: context.now), let wait = context.policy.factorRecoveryWait,
            owner?.activeFactors.allSatisfy({ $0.enrolledAt <= pending.createdAt }) ?? true,
            owner?.emailSetAt.map({ $0 <= pending.createdAt }) ?? true
        else { return .notBegun }
        return context.now - pending.createdAt >= wait ? .over : .goesOn
    }

    private func status(ofOtherFor owner: Account, in seen: Snapshot, _ context: DecisionContext) -> Other {
        guard let other else { return .nothing }
        if case .mailbox = other.claim { return .wrong }
        if !context.policy.isEnabled(other.provider) { return .wrong }
        guard other.refusal(in: seen, context, as: .signIn) == nil, let match = other.match(owner, context) else {
            return .wrong
        }
        if mayComeFromMailbox(other, under: context.policy) { return .younger }
        // The number may belong to another person by now, or may not be a first factor.
        if match.isStale || other.provider == .phone && !owner.acceptsNumber(under: context.policy) { return .younger }
        guard let method = match.method, method.isActive else { return .wrong }
        // A password counts from when it was set, however old the login that set it: an attacker may have the mailbox.
        return owner.activeFactors.allSatisfy { method.setAt < $0.enrolledAt } ? .older : .younger
    }

    /// Whether its provider runs the mailbox, as far as the token tells: then one theft gives both.
    ///
    /// A token may name no address, or another one of the same account at the provider. Then it is enough that the
    /// provider can run the mailbox.
    private func mayComeFromMailbox(_ other: Proof, under policy: AuthPolicy) -> Bool {
        guard case .identity(let proof) = other.claim else { return false }
        if policy.keyRule.isSameMailbox(proof.identity.email, mailbox.email) {
            return proof.verifiedSubject(under: policy) != nil
        }
        // Without authorities no provider is known to run mailboxes.
        if case .verifiedFlag = policy.addressTrust, proof.identity.email != nil { return false }
        return policy.believes(.provider(proof.identity.key, .authoritative), about: .email(mailbox.email))
    }
}

extension OneTimeRecordID {
    /// The key of the record of a waiting recovery from lost factors.
    static func lostFactors(of account: AccountID) -> OneTimeRecordID {
        OneTimeRecordID(digestOf: "lost factors\u{0}" + account.text)
    }
}
