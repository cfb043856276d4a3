extension AuthService {
    /// Returns the identity that caused a conflict, ready to be linked.
    func pendingLink(
        _ key: OneTimeRecordID,
        _ context: RequestContext
    ) async throws(AuthError) -> (PendingLink, AdditionalUserInfo?) {
        let record = try await record(key)
        let verified = try await audited("Verify", context) { () async throws(AuthError) in
            try verifyPending(record, handedOut: nil)
        }
        let link = PendingLink(key: key, proof: verified.proof, target: record?.content.pendingTarget)
        return (link, verified.additional)
    }

    /// Refuses a conflict that is over, or that began on another device; there, nothing counts against it.
    func requirePresent(_ pending: Conflict.PendingCredential, _ context: RequestContext) async throws(AuthError) {
        guard let record = try await record(pending.key), record.isLive(at: environment.now) else {
            throw AuthError(.invalidCredential, reasons: [.pendingIdentityIsOver])
        }
        if Request(sharedPolicy, context).isElsewhere(record) {
            throw AuthError(.deviceMismatch, reasons: [.pendingIdentityIsOfAnotherDevice])
        }
    }

    func signIn(
        proof: Proof,
        factor: FactorProof?,
        completing pending: OneTimeRecordID,
        _ context: RequestContext
    ) async throws(AuthError) -> (SignedIn, AdditionalUserInfo?) {
        let (link, additional) = try await pendingLink(pending, context)
        if case .nothing = proof.claim {
            throw AuthError(.invalidCredential, message: "A conflict is resolved by a method of the existing account.")
        }
        if case .mailbox(let mailbox) = proof.claim, case .identity(let incoming) = link.proof.claim {
            let claim = ClaimAndLink(
                proof: mailbox,
                verifiedAt: proof.verifiedAt,
                incoming: incoming,
                pending: link,
                factor: factor
            )
            return (try await perform(claim, context), additional)
        }
        let both = SignInAndLink(first: SignIn(proof: proof, factor: factor), pending: link)
        return (try await perform(both, context), additional)
    }
}
