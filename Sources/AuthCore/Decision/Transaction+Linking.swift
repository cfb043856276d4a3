/// What links of every kind of proof have in common.
extension Transaction {
    /// The refusal that asks the person in the session for a factor before the proof is linked.
    func challenge(_ acting: ActingSession, linking proof: Proof) -> Refusal {
        challenge(acting.account, for: .change(acting.session.id), over: proof)
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
        raiseSessionGeneration(of: &account, after: acting, except: acting.session.id, context)
        let authentication = acting.adding(method, factor: factor, verified: verified, under: context.policy)
        return keep(acting, with: &account, authentication: authentication)
    }
}
