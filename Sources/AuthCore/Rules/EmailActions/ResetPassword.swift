/// Sets a new password by a code that was mailed to the account's address.
struct ResetPassword: Operation {
    typealias Outcome = RecoveryReport

    let code: CapabilityKey
    /// The hash of the password, or what the password rule has against it.
    let password: Result<PasswordHash, PasswordRefusal>

    init(code: CapabilityKey, password: Result<PasswordHash, PasswordRefusal>) {
        self.code = code
        self.password = password
    }

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    /// An account that only shows the address got the code too, and the address may be somebody else's own by now.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard let address = shownAddress(in: seen) else { return nil }
        var lookups = Lookups()
        lookups.insert(ownerOf: address)
        return lookups
    }

    /// The address of the code, where its account only shows it.
    private func shownAddress(in seen: Snapshot) -> EmailAddress? {
        guard let account = seen.account(of: code), !account.reservesEmail else { return nil }
        return seen.record(code)?.content.resetAddress
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var isForReset: Bool
        var isBindingIntact: Bool
        /// Whether the address is somebody else's own, who proved it or left it not long ago.
        var isAddressOfAnother: Bool
        var password: PasswordRule.Finding
    }

    enum Finding: Sendable, Hashable {
        case reset
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        if !facts.isForReset { return .refuse(.invalidActionCode, .codeIsForSomethingElse) }
        if !facts.isBindingIntact { return .refuse(.invalidActionCode, .codeIsOutdated) }
        if facts.isAddressOfAnother { return .refuse(.emailAlreadyInUse, .addressIsOwned) }
        if facts.password != .accepted { return .refuse(.weakPassword, facts.password.reason) }
        return .reset
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<RecoveryReport> {
        if let refusal = ruling.policy.refusal(of: .password) { return refuse(refusal, by: ruling) }
        let address = snapshot.record(code)?.content.resetAddress
        let found = snapshot.account(of: code)
        let other = snapshot.owner(ofAddress: shownAddress(in: snapshot), under: ruling.policy)
        let occupier = other?.id == found?.id ? nil : other
        let facts = Facts(
            code: snapshot.standing(of: code, by: ruling) { _ in true },
            isForReset: address != nil,
            isBindingIntact: found != nil && found?.email == address,
            isAddressOfAnother: isKept(address, by: occupier, under: ruling.policy),
            password: password.finding
        )
        if case .refuse(let code, let reason) = Self.rule(facts) { return refuse(Refusal(code, reason), by: ruling) }
        let (old, email, hash) = (try found.promised(), try address.promised(), try password.hash.promised())
        var draft = Draft(ruling)
        draft.reasons.append(.mailboxIsProven)
        if let occupier { draft.evict(occupier, by: .mailbox(email)) }
        if !old.reservesEmail { draft.expectNobody(hasTwinOf: email, in: snapshot) }
        var account = old
        switch ruling.policy.passwordReset {
        case .removesFederated:
            account.methods.removeAll { $0.identity != nil }
        case .suspendsDoubtful:
            if account.isAdoptable { account.methods = [] }
            account.suspendDoubtful(for: email, sparing: [.password, .emailLink], by: ruling)
            draft.reasons.append(.recoverySuspends)
        }
        // The new password is as old as the first proof of the mailbox that set it.
        let firstProof = account.evidence.filter { $0.isAbout(.email(email)) && $0.isFresh }.map(\.firstAt).min()
        account.note(.email(email), .mailboxCode, at: ruling.now)
        account.reservesEmail = true
        let method = account.setPassword(hash, at: ruling.now, seniorSince: firstProof ?? ruling.now)
        account.cover([method.generation], by: [.email(email)], at: ruling.now)
        draft.endOtherSessions(of: &account, except: nil)
        draft.changes.capabilities.append(.consume(code))
        draft.changes.capabilities.append(.revokeAll(old.id, [.resetPassword, .changeEmail, .factorChallenge]))
        draft.update(old, to: &account, by: .mailbox(email))
        return draft.granted(RecoveryReport(from: old, to: account))
    }

    private func isKept(_ address: EmailAddress?, by occupier: Account?, under policy: AuthPolicy) -> Bool {
        guard let address, let occupier else { return false }
        return !occupier.givesWay(of: address, under: policy)
    }
}

extension Capability.Content {
    /// The address at which a password may be reset; nil for what is for something else.
    fileprivate var resetAddress: EmailAddress? {
        guard case .resetPassword(let address) = self else { return nil }
        return address
    }
}
