extension AuthPolicy {
    /// Whether the identity is at the provider that runs this mailbox, by evidence that is still valid.
    fileprivate func isAuthoritative(_ identity: Identity, for email: EmailAddress) -> Bool {
        identity.assurance == .authoritative && keyRule.isSameMailbox(identity.email, email)
            && believes(.provider(identity.key, identity.assurance), about: .email(email))
    }
}

extension Account {
    /// Refuses a recovery by the mailbox that comes too early.
    ///
    /// An account that came to the address without verifying it can still be taken back to an address that it left. A
    /// person who verifies the address now, or did so at the request of another person, must not get the account.
    func requireSettledAddress(for recovered: Account, in seen: Snapshot, _ context: DecisionContext) throws(Refusal) {
        let others = reservations.filter { context.now < $0.until && $0.email.mailbox != email?.mailbox }
        let since = email.flatMap { verifiedSince($0, under: context.policy) } ?? .distantFuture
        if !others.isEmpty, others.count == reservations.count, since > emailSetAt ?? createdAt {
            throw Refusal(.requiresRecentLogin, .addressChangeIsReversible)
        }
        if loses(toYoungMailboxIn: recovered, in: seen, context) { throw .loginNotSenior }
    }

    /// Whether a recovery by the mailbox takes away a method that is older than the address, which was set a short time
    /// ago.
    ///
    /// A live session sets an address in a moment, and without their methods the owner could not take that back.
    private func loses(toYoungMailboxIn recovered: Account, in seen: Snapshot, _ context: DecisionContext) -> Bool {
        guard let seniority = context.policy.seniority, let email else { return false }
        let set = emailSetAt ?? createdAt
        let since = min(verifiedSince(email, under: context.policy) ?? set, verifiedBeforeLeaving(email) ?? set, set)
        let kept = recovered.methods.filter(\.isActive).map(\.generation)
        let isLost = { (method: SignInMethod) in
            method.isActive && !method.kind.isOfAddress && method.seniorSince < since
                && !kept.contains(method.generation)
        }
        guard methods.contains(where: isLost) else { return false }
        // While a notice can report that the address was set, what is older stays, so that the report helps.
        let isReportable = seen.canReportEmail(of: self, context)
        return context.now - since < (isReportable ? max(seniority, context.policy.lifetimes.notice) : seniority)
    }

    /// Since when the address was verified that the account left, and has again though it is still reserved for its
    /// owner.
    private func verifiedBeforeLeaving(_ email: EmailAddress) -> Timestamp? {
        reserves(mailboxOf: email) ? firstProof(of: email) : nil
    }

    /// When the mailbox was verified first, also if that counts no more.
    func firstProof(of email: EmailAddress) -> Timestamp? {
        evidence.filter { $0.subject.mailbox == .email(email.mailbox) && $0.source.isProof }.map(\.firstAt).min()
    }

    /// Suspends what the owner of the mailbox may not know: whatever control of the mailbox does not cover, and
    /// identities that are neither settled nor authoritative for it.
    mutating func suspendDoubtful(for email: EmailAddress, sparing kinds: Set<MethodKind>, _ context: DecisionContext) {
        let account = self
        suspendMethods(for: .recoverySuspends, at: context.now) { method in
            if kinds.contains(method.kind.methodKind) { return false }
            if let identity = method.identity, context.policy.isAuthoritative(identity, for: email) { return false }
            let isSettled = context.now - method.setAt >= context.policy.settledAfter
            return !account.covers(method, by: email, under: context.policy) || !isSettled && !method.kind.isOfAddress
        }
    }
}

extension Transaction {
    /// Suspends what is disabled and not covered by the mailbox, so that it cannot come back, and ends what was
    /// begun without the mailbox; mailed links are its owner's from now on.
    mutating func suspendUncovered(of account: inout Account, by email: EmailAddress) {
        let (before, policy) = (account, context.policy)
        let isUncovered = { (method: SignInMethod) in
            method.isActive && !before.covers(method, by: email, under: policy)
        }
        guard account.methods.contains(where: isUncovered) else { return }
        account.suspendMethods(for: .recoverySuspends, at: context.now) { $0.kind != .emailLink && isUncovered($0) }
        endUncovered(on: &account, before: before)
    }

    /// Ends what was begun without the mailbox (sessions, devices that are known, and codes), and gives the reason.
    mutating func endUncovered(on account: inout Account, before: Account) {
        reasons.append(.recoverySuspends)
        account.knownDevices = []
        endOtherSessions(of: &account, except: nil)
        revokeUnfinished(of: account.id)
        // A person who had the account without the mailbox cannot report what the owner of the mailbox does.
        if !before.isEmailVerified(under: context.policy) { revokeAll(of: account.id, [.changeReport]) }
    }
}
