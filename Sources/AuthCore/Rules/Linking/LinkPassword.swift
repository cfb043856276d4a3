/// Adds an address with a password to the account of the acting session.
struct LinkPassword: LinkingStep {
    let email: EmailAddress
    /// The hash of the password, or what the password rule has against it.
    let password: Result<PasswordHash, PasswordRefusal>
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var isProviderLinked: Bool
        var isAddressOfAnother: Bool
        var password: PasswordRule.Finding
        var factor: FactorStanding
    }

    enum Finding: Sendable, Hashable {
        case link
        case challenge
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if facts.isProviderLinked { return .refuse(.providerAlreadyLinked, .providerIsLinked) }
        if facts.isAddressOfAnother { return .refuse(.emailAlreadyInUse, .addressIsOwned) }
        if facts.password != .accepted { return .refuse(.weakPassword, facts.password.reason) }
        return facts.factor == .owed ? .challenge : .link
    }

    /// Decides as a further step of a draft, for an account and a session that the draft may have made or changed.
    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        continuing draft: consuming Draft
    ) throws(Refusal) -> Decision<SignedIn> {
        let ruling = draft.ruling
        if let refusal = ruling.policy.refusal(of: .password) { return refuse(refusal, by: ruling) }
        // An anonymous seat that names an address signs up, and learns as little.
        let concealed = ruling.policy.concealsSignUp && acting.account.methods.isEmpty ? ruling.context.seat : nil
        let facts = Facts(
            isProviderLinked: acting.account.hasPasswordEntry || acting.account.passwordMethod != nil,
            isAddressOfAnother: concealed == nil
                && snapshot.owner(ofAddress: email, under: ruling.policy).map { $0.id != acting.account.id } ?? false,
            password: password.finding,
            factor: acting.account.factorStanding(in: acting.session, shown: factor)
        )
        let finding = Self.rule(facts)
        if case .refuse(let code, let reason) = finding { return refuse(Refusal(code, reason), by: ruling) }
        let hash = try password.hash.promised()
        if finding == .challenge {
            let stored = StoredProof.newPassword(email, hash)
            return draft.refused(
                draft.challenge(acting.account, for: .change(acting.session.id), proof: stored, generation: nil)
            )
        }
        if ruling.policy.unprovenEmailChange == .needsVerification, acting.account.email != email,
            acting.account.isEmailVerified(under: ruling.policy)
        {
            return refuse(Refusal(.emailChangeNeedsVerification, .addressStaysUntilProven), by: ruling)
        }
        draft.reasons.append(.personAddsMethod)
        var account = acting.account
        if account.email != email { account.moveToUnproven(email, at: ruling.now) }
        account.reservesEmail = concealed == nil
        if concealed == nil { draft.expectNobody(hasTwinOf: email, in: snapshot) }
        if let concealed {
            account.isProvisional = true
            let earlier = snapshot.record(.provisional(email, concealed))
            draft.keepProvisional(account, email, concealed, isNew: earlier == nil)
        }
        let method = account.setPassword(hash, at: ruling.now, seniorSince: acting.seniorSince)
        draft.raiseEpoch(of: &account, for: .passwordLink, except: acting.session.id)
        return draft.granted(
            draft.keep(
                acting,
                with: &account,
                showing: acting.adding(method, factor: factor, under: ruling.policy),
                lastSignIn: snapshot.lastSignIn(of: account.id)
            )
        )
    }
}
