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
        var causes: [AuthPolicy.SessionRevocationTrigger] = []
        if acting.account.lacksMethods { causes.append(.firstMethod) }
        if account.isNewlyVerified(since: acting.account, context) { causes.append(.firstVerification) }
        raiseSessionGeneration(of: &account, for: causes, except: acting.session.id)
        let authentication = acting.adding(method, context, factor: factor, verified: verified)
        return keep(acting, with: &account, authentication: authentication)
    }
}
