/// What links of every kind of proof have in common.
extension Transaction {
    /// Asks the person in the session for the factor that is required before the proof is linked.
    func requireFactor(_ factor: FactorProof?, of acting: ActingSession, linking proof: Proof) throws(Refusal) {
        if acting.account.factorStatus(in: acting.session, presented: factor) == .required {
            throw challenge(acting.account, for: .change(acting.session.id), over: proof)
        }
    }

    /// Uses a proof up, and writes the account to which the acting session added the method that it verifies.
    mutating func link(
        _ method: SignInMethod,
        by proof: Proof,
        to account: inout Account,
        of acting: ActingSession,
        _ factor: FactorProof?,
        verified: Evidence.Subject?
    ) -> SignedIn {
        use(proof)
        raiseSessionGeneration(of: &account, after: acting)
        let authentication = acting.adding(method, factor: factor, verified: verified, under: context.policy)
        return keep(acting, with: &account, authentication: authentication)
    }

    /// Raises the session generation for a first method or a first verification, if the policy says so.
    private mutating func raiseSessionGeneration(of account: inout Account, after acting: ActingSession) {
        var causes: Set<AuthPolicy.SessionRevocationTrigger> = []
        if acting.account.methods.isEmpty { causes.insert(.firstMethod) }
        if !acting.account.isEmailVerified(under: context.policy), account.isEmailVerified(under: context.policy) {
            causes.insert(.firstVerification)
        }
        if causes.isEmpty { return }
        changesPrivileges = true
        if causes.isDisjoint(with: context.policy.revokesSessionsOn) { return }
        endOtherSessions(of: &account, except: acting.session.id)
    }
}
