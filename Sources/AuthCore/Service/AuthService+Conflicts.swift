extension AuthService {
    /// Returns the identity that caused a conflict, ready to be linked.
    func pendingLink(
        _ pending: Conflict.PendingCredential,
        _ context: RequestContext
    ) async throws(AuthError) -> (PendingLink, AdditionalUserInfo?) {
        let verified = try await audited("Verify", context) { () async throws(AuthError) in
            try await verifyPending(pending)
        }
        let target = try await target(of: pending.id)
        return (PendingLink(key: pending.id, proof: verified.proof, target: target), verified.additional)
    }

    func signIn(
        proof: Proof,
        factor: FactorProof?,
        completing pending: Conflict.PendingCredential,
        _ context: RequestContext
    ) async throws(AuthError) -> (SignedIn, AdditionalUserInfo?) {
        let (link, additional) = try await pendingLink(pending, context)
        if case .nothing = proof.claim {
            throw AuthError(.invalidCredential, message: "A conflict is resolved by a method of the existing account.")
        }
        if case .mailbox(let proof) = proof.claim, case .identity(let incoming) = link.proof.claim {
            let claim = ClaimAndLink(proof: proof, incoming: incoming, pending: link, factor: factor)
            return (try await perform(claim, context).outcome, additional)
        }
        let both = SignInAndLink(first: SignIn(proof, factor: factor), pending: link)
        return (try await perform(both, context).outcome, additional)
    }

    private func target(of pending: OneTimeRecordID) async throws(AuthError) -> AccountID? {
        guard case .pendingIdentity(let identity)? = try await record(pending)?.content else { return nil }
        return identity.target
    }
}
